#include "asynprox/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace asynprox {
namespace {

// In points of the drawing.
constexpr double kLeft = 78, kTop = 46, kWidth = 480, kHeight = 300, kBottom = 58;
constexpr double kLetter = 7.9;  // the width of one, about
constexpr double kTitleLetter = 10.2;
constexpr double kLegendLine = 20;

// Okabe and Ito's colours, darkest first; with dashes and markers of other periods, so that the
// ninth series is not the first again.
constexpr std::array<std::string_view, 8> kColours = {"#000000", "#0072b2", "#d55e00", "#009e73",
                                                      "#cc79a7", "#e69f00", "#56b4e9", "#808080"};
constexpr std::array<std::string_view, 5> kDashes = {"", "9 4", "3 3", "10 3 2 3", "6 2 2 2 2 2"};
constexpr int kNumShapes = 4;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

// Characters, not bytes.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text,
                    std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, escaped(text));
}

std::string line_from(double x1, double y1, double x2, double y2, std::string_view look) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1,
                     x2, y2, look);
}

// What series number `index` looks like, in the plot and in the legend.
class Pen {
 public:
  explicit Pen(std::size_t index)
      : colour_(kColours[index % kColours.size()]),
        dashes_(kDashes[index % kDashes.size()]),
        shape_(index % kNumShapes) {}

  std::string stroke() const {
    const std::string dashes =
        dashes_.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes_);
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}", colour_, dashes);
  }

  std::string marker(double x, double y) const {
    const double r = 3.6;
    if (shape_ == 0)
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", x, y, r,
                         colour_);
    const std::string path = shape_ == 1 ? fmt::format("h{0} v{0} h-{0} z", 2 * r)
                             : shape_ == 2
                                 ? fmt::format("l{0} {1} h-{1} z", r, 2 * r)
                                 : fmt::format("l{0} {0} l-{0} {0} l-{0} -{0} z", 1.3 * r);
    const double left = shape_ == 1 ? r : 0, up = shape_ == 3 ? 1.3 * r : r;
    return fmt::format("<path d=\"M{:.1f} {:.1f} {}\" fill=\"{}\"/>\n", x - left, y - up, path,
                       colour_);
  }

 private:
  std::string_view colour_;
  std::string_view dashes_;
  std::size_t shape_;
};

class Drawing {
 public:
  explicit Drawing(const LineChart& chart)
      : chart_(chart), x_(chart.x_scale, values(true)), y_(chart.y_scale, values(false)) {}

  std::string text() const {
    std::string body = frame();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) body += series(i);
    body += marks() + legend();
    const double title_width = kTitleLetter * static_cast<double>(length(chart_.title));
    const double width = kLeft + std::max(kWidth + legend_width(), title_width);
    const double height = kTop + kHeight + kBottom;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"13\" "
        "fill=\"#222222\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"#ffffff\"/>\n{3}</svg>\n",
        width, height, escaped(chart_.title), body);
  }

 private:
  std::vector<double> values(bool of_x) const {
    std::vector<double> all;
    for (const ChartSeries& series : chart_.series)
      for (const ChartPoint& point : series.points)
        if (shown(point)) all.push_back(of_x ? point.x : point.y);
    for (const ChartMark& mark : of_x ? chart_.x_marks : chart_.y_marks) all.push_back(mark.at);
    return all;
  }

  bool shown(const ChartPoint& point) const {
    return can_show(chart_.x_scale, point.x) && can_show(chart_.y_scale, point.y);
  }

  double left_of(double x) const { return kLeft + kWidth * x_.share(x); }
  double top_of(double y) const { return kTop + kHeight * (1 - y_.share(y)); }

  std::string frame() const {
    const double bottom = kTop + kHeight, middle = kTop + kHeight / 2;
    const std::string_view grid = "stroke=\"#e4e4e4\"";
    std::string text;
    for (const double tick : x_.ticks()) {
      text += line_from(left_of(tick), kTop, left_of(tick), bottom, grid);
      text += text_at(left_of(tick), bottom + 19, "middle", x_.label(tick));
    }
    for (const double tick : y_.ticks()) {
      text += line_from(kLeft, top_of(tick), kLeft + kWidth, top_of(tick), grid);
      text += text_at(kLeft - 8, top_of(tick) + 4.5, "end", y_.label(tick));
    }
    text += line_from(kLeft, bottom, kLeft + kWidth, bottom, "stroke=\"#555555\"");
    text += line_from(kLeft, kTop, kLeft, bottom, "stroke=\"#555555\"");
    text += text_at(kLeft, 26, "start", chart_.title, " font-size=\"16\" font-weight=\"bold\"");
    text += text_at(kLeft + kWidth / 2, bottom + 44, "middle", chart_.x_label);
    const std::string turned = fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", middle);
    return text + text_at(18, middle, "middle", chart_.y_label, turned);
  }

  std::string series(std::size_t index) const {
    const ChartSeries& series = chart_.series[index];
    const Pen pen(index);
    std::string points, markers;
    for (const ChartPoint& point : series.points) {
      if (!shown(point)) continue;
      if (!points.empty()) points += ' ';
      points += fmt::format("{:.1f},{:.1f}", left_of(point.x), top_of(point.y));
      markers += pen.marker(left_of(point.x), top_of(point.y));
    }
    std::string text;
    if (series.line && !points.empty())
      text += fmt::format("<polyline points=\"{}\" {} stroke-linejoin=\"round\"/>\n", points,
                          pen.stroke());
    return series.markers ? text + markers : text;
  }

  std::string marks() const {
    const std::string_view look = "stroke=\"#777777\" stroke-dasharray=\"2 3\"";
    const std::string_view small = " font-size=\"12\" fill=\"#555555\"";
    std::string text;
    for (const ChartMark& mark : chart_.x_marks) {
      if (!can_show(chart_.x_scale, mark.at)) continue;
      const double left = left_of(mark.at);
      const bool fits = left + kLetter * static_cast<double>(length(mark.name)) < kLeft + kWidth;
      text += line_from(left, kTop, left, kTop + kHeight, look);
      text +=
          text_at(fits ? left + 5 : left - 5, kTop + 13, fits ? "start" : "end", mark.name, small);
    }
    for (const ChartMark& mark : chart_.y_marks) {
      if (!can_show(chart_.y_scale, mark.at)) continue;
      const double top = top_of(mark.at);
      text += line_from(kLeft, top, kLeft + kWidth, top, look);
      text += text_at(kLeft + kWidth - 5, top - 5, "end", mark.name, small);
    }
    return text;
  }

  double legend_width() const {
    std::size_t longest = 0;
    for (const ChartSeries& series : chart_.series)
      longest = std::max(longest, length(series.name));
    return longest == 0 ? 20 : 62 + kLetter * static_cast<double>(longest);
  }

  std::string legend() const {
    std::string text;
    double y = kTop + 10;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const ChartSeries& series = chart_.series[i];
      if (series.name.empty()) continue;
      const double x = kLeft + kWidth + 16;
      if (series.line) text += line_from(x, y - 4, x + 30, y - 4, Pen(i).stroke());
      if (series.markers) text += Pen(i).marker(x + 15, y - 4);
      text += text_at(x + 37, y, "start", series.name);
      y += kLegendLine;
    }
    return text;
  }

  const LineChart& chart_;
  ChartAxis x_, y_;
};

}  // namespace

std::string svg(const LineChart& chart) { return Drawing(chart).text(); }

}  // namespace asynprox
