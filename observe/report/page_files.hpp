// SPDX-License-Identifier: Apache-2.0
//
// The files of page/, as the build has put them into the program (cmake/PetalEmbed.cmake).
#pragma once

#include <string_view>

namespace petal::page {

extern const std::string_view report_html;
extern const std::string_view report_css;
extern const std::string_view format_js;
extern const std::string_view palette_js;
extern const std::string_view elements_js;
extern const std::string_view lane_data_js;
extern const std::string_view verdict_js;
extern const std::string_view engines_js;
extern const std::string_view dispatch_js;
extern const std::string_view head_waits_js;
extern const std::string_view roofline_js;
extern const std::string_view configuration_js;
extern const std::string_view timeline_rows_js;
extern const std::string_view timeline_painter_js;
extern const std::string_view event_text_js;
extern const std::string_view timeline_js;
extern const std::string_view timeline_input_js;
extern const std::string_view main_js;

}  // namespace petal::page
