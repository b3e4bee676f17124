// SPDX-License-Identifier: Apache-2.0
#include "petal/report/report_page.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "petal/report/page_files.hpp"

namespace petal {
namespace {

using Json = nlohmann::ordered_json;

std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

/// JSON in which nothing ends the script element that it stands in: a name may hold `</script>`.
std::string script_json(const Json& json) {
  std::string escaped;
  const std::string text = json.dump();
  escaped.reserve(text.size());
  for (const char character : text) {
    if (character == '<')
      escaped += "\\u003c";
    else
      escaped += character;
  }
  return escaped;
}

std::string title_of(const Json& report) {
  std::string title = "PETAL: ";
  std::string between;
  for (const Json& run : report["runs"]) {
    title += between + run["kernel"].get<std::string>();
    between = " / ";
  }
  return title + ", " + report["scenario"].get<std::string>();
}

std::string script() {
  std::string text;
  for (const std::string_view file :
       {page::format_js, page::palette_js, page::elements_js, page::lane_data_js, page::verdict_js,
        page::engines_js, page::dispatch_js, page::head_waits_js, page::roofline_js, page::configuration_js,
        page::timeline_rows_js, page::timeline_painter_js, page::event_text_js, page::timeline_js,
        page::timeline_input_js, page::main_js})
    text.append(file);
  return text;
}

/// The page's parts by the names that `{{...}}` in report.html gives them.
std::string part(std::string_view name, const Json& report) {
  if (name == "title") return html_text(title_of(report));
  if (name == "style") return std::string(page::report_css);
  if (name == "script") return script();
  return script_json(report);
}

}  // namespace

std::string report_page(const Json& report) {
  std::string text;
  std::string_view rest = page::report_html;
  for (;;) {
    const std::size_t open = rest.find("{{");
    if (open == std::string_view::npos) return text.append(rest);
    const std::size_t close = rest.find("}}", open);
    text.append(rest.substr(0, open));
    text += part(rest.substr(open + 2, close - open - 2), report);
    rest.remove_prefix(close + 2);
  }
}

}  // namespace petal
