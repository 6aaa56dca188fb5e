// An axis of a chart: from the numbers it has to hold to its range, its ticks and their labels.
#pragma once

#include <string>
#include <vector>

namespace asynprox {

enum class Scale { linear, log };

// Can the scale show it? Finite, and above 0 on a logarithmic one.
bool can_show(Scale scale, double value);

class ChartAxis {
 public:
  // Holds every one of `values` that the scale can show, between round ends. Without such a value
  // it goes from 0 to 1, or from 1 to 10.
  ChartAxis(Scale scale, const std::vector<double>& values);

  double min() const { return min_; }
  double max() const { return max_; }
  const std::vector<double>& ticks() const { return ticks_; }

  // Where `value` lies between the ends: 0 is the first, 1 the last.
  double share(double value) const;

  // Of a tick: "0.25", "1,000", "10⁻³".
  std::string label(double tick) const;

 private:
  Scale scale_;
  double unit_ = 1;  // linear: between two ticks
  double min_ = 0, max_ = 1;
  std::vector<double> ticks_;
};

}  // namespace asynprox
