// SPDX-License-Identifier: Apache-2.0
#include "petal/engines/fetch_store_engine.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "petal/engines/latency.hpp"
#include "petal/numerics/tensor_tile.hpp"

namespace petal {
namespace {

/// The value of each element's row, as f32: what every op that repeats an operand computes with. A command
/// that no compiler made may have too few of them.
void repeat_row_values(Tile& tile, const RowValues& rows) {
  const std::uint64_t first_row = rows.row_length == 0 ? 0 : rows.first / rows.row_length;
  const std::uint64_t last = rows.first + rows.elements - 1;
  if (rows.row_length == 0 || last / rows.row_length - first_row >= tile.size())
    throw std::invalid_argument(
        fmt::format("{} values for the rows of elements {} to {}, {} elements a row; give each row one value",
                    tile.size(), rows.first, last, rows.row_length));
  tile.convert_to_f32();
  Tile repeated(1, rows.elements);
  for (std::uint64_t index = 0; index < rows.elements; ++index)
    repeated.f32()[index] = tile.f32()[(rows.first + index) / rows.row_length - first_row];
  std::swap(tile, repeated);
}

void fetch(const ByteMemory& tcm, const TensorHandle& view, const FetchTarget& target) {
  load_tensor(tcm, view, target.element, *target.tile);
  if (target.shape) target.tile->reshape(target.shape->rows, target.shape->columns);
  if (target.row_values) repeat_row_values(*target.tile, *target.row_values);
}

}  // namespace

FetchStoreEngine::FetchStoreEngine(const sc_core::sc_module_name& name, const FetchStoreConfig& config,
                                   ClockFrequency clock, ByteMemory* tcm)
    : Engine(name), config_(config), clock_(clock), tcm_(tcm) {}

StageTiming FetchStoreEngine::begin(const Stage& stage, Picoseconds start, tlm::tlm_generic_payload&) {
  const Bytes bytes(stage.bytes);
  const bool is_store = stage.kind == StageKind::store;
  const Picoseconds duration = durations_.get(stage.bytes, is_store ? 1 : 0, [&] {
    return is_store ? store_duration(config_, clock_, bytes) : fetch_duration(config_, clock_, bytes);
  });
  return {start + duration, start + duration};
}

void FetchStoreEngine::perform(const StageData& data, const StageExtension&) {
  for (std::uint32_t read = 0; read < data.views.read_count; ++read)
    fetch(*tcm_, data.views.reads[read], data.fetched[read]);
  if (!data.views.write) return;
  prepare_result(data);
  store_tensor(*data.result, *tcm_, *data.views.write);
}

}  // namespace petal
