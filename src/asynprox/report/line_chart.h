// A line chart as a picture that needs nothing: one SVG, white of its own, without scripts.
//
// Series differ in colour (told apart by the colour blind), in dashes and in the shape of markers.
#pragma once

#include <string>
#include <vector>

#include "asynprox/report/chart_axis.h"

namespace asynprox {

struct ChartPoint {
  double x = 0;
  double y = 0;
};

struct ChartSeries {
  std::string name = {};
  std::vector<ChartPoint> points = {};  // those that its axes cannot show are left out
  bool line = true;                     // joins them
  bool markers = false;                 // a sign at each
};

// A vertical or a level line, with its name beside it.
struct ChartMark {
  std::string name = {};
  double at = 0;
};

struct LineChart {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  Scale x_scale = Scale::linear;
  Scale y_scale = Scale::linear;
  std::vector<ChartSeries> series = {};
  std::vector<ChartMark> x_marks = {};
  std::vector<ChartMark> y_marks = {};
};

std::string svg(const LineChart& chart);

}  // namespace asynprox
