// SPDX-License-Identifier: Apache-2.0
#include "petal/plot/gnuplot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace petal {

namespace {

// Colours that colour-blind people can tell apart (Okabe and Ito).
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                    "#E69F00", "#56B4E9", "#000000", "#F0E442"};
constexpr const char* kBox = "0.9";

/// A string of gnuplot that stands for the text itself: single quotes hold everything but themselves.
std::string quoted(const std::string& text) {
  std::string quote = "'";
  for (const char c : text) {
    if (c == '\'') quote += '\'';
    quote += std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
  }
  return quote + "'";
}

/// One word of a data block: a category's name.
std::string quoted_word(const std::string& text) {
  std::string word = "\"";
  for (const char c : text) word += c == '"' || c == '\\' || c == '\n' ? ' ' : c;
  return word + "\"";
}

bool is_drawn(const Figure& figure, const std::pair<double, double>& point) {
  return std::isfinite(point.first) && std::isfinite(point.second) && !(figure.log_x && point.first <= 0) &&
         !(figure.log_y && point.second <= 0);
}

std::string data_of(const Figure& figure) {
  std::string text;
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    text += fmt::format("$curve{} << END_OF_DATA\n", i);
    for (const auto& point : figure.curves[i].points)
      if (is_drawn(figure, point)) text += fmt::format("{} {}\n", point.first, point.second);
    text += "END_OF_DATA\n";
  }
  return text;
}

/// Of bars: a line for each category with each curve's value, or NaN.
std::string bar_data_of(const Figure& figure) {
  std::string text = "$bars << END_OF_DATA\n";
  for (std::size_t category = 0; category < figure.categories.size(); ++category) {
    text += quoted_word(figure.categories[category]);
    for (const Curve& curve : figure.curves) {
      const auto there =
          std::find_if(curve.points.begin(), curve.points.end(), [&](const std::pair<double, double>& point) {
            return point.first == static_cast<double>(category) && is_drawn(figure, point);
          });
      text += there == curve.points.end() ? " NaN" : fmt::format(" {}", there->second);
    }
    text += "\n";
  }
  return text + "END_OF_DATA\n";
}

std::string axes_of(const Figure& figure) {
  std::string text =
      fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                  quoted(figure.title), quoted(figure.x_label), quoted(figure.y_label));
  if (figure.log_x) text += "set logscale x\n";
  if (figure.log_y) text += "set logscale y\n";
  if (!figure.categories.empty()) {
    text += "set xtics rotate by -35 noenhanced (";
    for (std::size_t i = 0; i < figure.categories.size(); ++i)
      text += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted(figure.categories[i]), i);
    text += fmt::format(")\nset xrange [-0.6:{}]\n", static_cast<double>(figure.categories.size()) - 0.4);
  }
  if (figure.bars)
    text += fmt::format(
        "set style data histograms\nset style histogram clustered gap 1\nset style fill solid {} noborder\n",
        kBox);
  if (figure.bars && !figure.log_y) text += "set yrange [0:*]\n";
  return text;
}

const char* style_words(CurveStyle style) {
  switch (style) {
    case CurveStyle::marks:
      return "points pointsize 0.8";
    case CurveStyle::line:
      return "lines dashtype 2";
    default:
      return "linespoints pointsize 0.7";
  }
}

bool is_empty(const Figure& figure) {
  return std::none_of(figure.curves.begin(), figure.curves.end(), [&](const Curve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(),
                       [&](const std::pair<double, double>& point) { return is_drawn(figure, point); });
  });
}

std::string plot_command(const Figure& figure) {
  if (is_empty(figure))
    return "unset key\nset label 'no points' at graph 0.5, 0.5 center\nplot [0:1] [0:1] NaN\n";
  std::string text = "plot ";
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const std::string title = quoted(figure.curves[i].title);
    if (i > 0) text += ", \\\n     ";
    if (figure.bars)
      text += fmt::format("$bars using {} title {} noenhanced linetype {}", i + 2, title, i + 1);
    else
      text += fmt::format("$curve{} using 1:2 with {} linetype {} title {} noenhanced", i,
                          style_words(figure.curves[i].style), i + 1, title);
  }
  return text + "\n";
}

std::string line_types() {
  std::string text;
  for (std::size_t i = 0; i < std::size(kColours); ++i)
    text += fmt::format("set linetype {} linecolor rgb '{}' linewidth 1.5 pointtype {}\n", i + 1, kColours[i],
                        i + 4);
  return text + fmt::format("set linetype cycle {}\n", std::size(kColours));
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& stem) {
  std::string text = "# Drawn by petal. Needs gnuplot (Debian: gnuplot-nox).\nset encoding utf8\n";
  text += line_types() + axes_of(figure);
  text += "set grid\nset key below center Left reverse\nset datafile missing 'NaN'\n";
  text += figure.bars ? bar_data_of(figure) : data_of(figure);
  const std::string plot = plot_command(figure);
  text += fmt::format(
      "set terminal svg size 900,520 font 'sans-serif,13' background rgb 'white'\nset output {}\n{}",
      quoted(stem + ".svg"), plot);
  text += fmt::format(
      "set terminal pngcairo size 1350,780 font 'sans-serif,15'\nset output {}\nreplot\nset output\n",
      quoted(stem + ".png"));
  return text;
}

}  // namespace petal
