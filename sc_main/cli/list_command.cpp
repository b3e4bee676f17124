// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "petal/cli/subcommands.hpp"
#include "petal/config/dispatch_presets.hpp"
#include "petal/config/model_presets.hpp"
#include "petal/host/kernels/kernel_catalog.hpp"
#include "petal/host/recipe_table.hpp"

namespace petal {
namespace {

/// A section of the list: rows of a name and what there is to say about it.
struct Section {
  std::string key;
  std::string title;
  std::vector<std::pair<std::string, std::string>> rows;
};

Section kernels() {
  Section section{"kernels", "Kernels", {}};
  for (const KernelEntry& entry : kernel_catalog()) section.rows.emplace_back(entry.name, entry.description);
  return section;
}

Section models() {
  Section section{"models", "Models (model:)", {}};
  for (const ModelPreset& model : model_presets())
    section.rows.emplace_back(
        model.name, model.is_supported()
                        ? fmt::format("{} query heads, {} KV heads, head_dim {}, context {}", model.q_heads,
                                      model.kv_heads, model.head_dim, model.max_ctx)
                        : "latent attention (MLA): not supported");
  return section;
}

Section recipes() {
  Section section{"recipes", "Recipes", {}};
  const RecipeTable table = RecipeTable::standard();
  for (const RecipeDescriptor& recipe : table.recipes())
    section.rows.emplace_back(recipe.name, recipe.description);
  return section;
}

Section presets() {
  Section section{"dispatch_presets", "Dispatch presets (dispatch_preset:)", {}};
  for (const DispatchPreset& preset : dispatch_presets())
    section.rows.emplace_back(
        preset.name, fmt::format("FIXED {} cycles, R {} cycles/byte ({}; {})", preset.fixed_per_cmd_cycles,
                                 preset.byte_cycles_recip, preset.status, preset.source));
  return section;
}

/// The scenario files right in `folder`, under their paths in the source tree.
Section files(Section section, const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path root = std::filesystem::path(PETAL_SCENARIO_FOLDER).parent_path();
  for (const auto& file : std::filesystem::directory_iterator(root / folder, ignored))
    if (file.path().extension() == ".yaml")
      section.rows.emplace_back((folder / file.path().filename()).string(), "");
  std::sort(section.rows.begin(), section.rows.end());
  return section;
}

void print(const Section& section) {
  fmt::print("{}\n", section.title);
  std::size_t width = 0;
  for (const auto& [name, text] : section.rows) width = std::max(width, name.size());
  for (const auto& [name, text] : section.rows)
    fmt::print("{}\n", text.empty() ? "  " + name : fmt::format("  {:<{}}  {}", name, width, text));
  fmt::print("\n");
}

}  // namespace

ExitCode list_everything(const CommandOptions& options) {
  const Section sections[] = {kernels(),
                              models(),
                              recipes(),
                              presets(),
                              files({"scenarios", "Shipped scenarios", {}}, "configs"),
                              files({"studies", "Shipped studies (petal sweep)", {}}, "configs/studies")};
  if (!options.json) {
    for (const Section& section : sections) print(section);
    return ExitCode::done;
  }
  nlohmann::ordered_json json;
  for (const Section& section : sections) {
    json[section.key] = nlohmann::ordered_json::array();
    for (const auto& [name, text] : section.rows)
      json[section.key].push_back({{"name", name}, {"text", text}});
  }
  std::cout << json.dump(2) << '\n';
  return ExitCode::done;
}

}  // namespace petal
