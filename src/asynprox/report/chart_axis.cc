#include "asynprox/report/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace asynprox {
namespace {

constexpr int kTicksWanted = 6;
constexpr double kSlack = 1e-9;  // what rounding may do to a round number

// The largest of 1, 2, 5, 10, 20, ... (times any power of ten) that is at most `value`.
double round_down(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value) + kSlack));
  for (const double digit : {5.0, 2.0})
    if (value >= digit * decade * (1 - kSlack)) return digit * decade;
  return decade;
}

// The smallest that is at least `value`.
double round_up(double value) {
  const double below = round_down(value);
  if (below >= value * (1 - kSlack)) return below;
  const double digit = below / std::pow(10, std::floor(std::log10(below) + kSlack));
  return below * (std::round(digit) == 2 ? 2.5 : 2);
}

std::vector<double> linear_ticks(double min, double max, double unit) {
  const double first = std::floor(min / unit + kSlack), last = std::ceil(max / unit - kSlack);
  std::vector<double> ticks;
  for (double i = first; i <= std::max(last, first + 1); ++i) ticks.push_back(i * unit);
  return ticks;
}

// The powers of ten between the ends; where there are fewer than three, their two- and fivefold
// too.
std::vector<double> log_ticks(double min, double max) {
  const int first = static_cast<int>(std::floor(std::log10(min) + kSlack));
  const int last = static_cast<int>(std::floor(std::log10(max) + kSlack));
  const int decades = last - first + (first < std::log10(min) - kSlack ? 0 : 1);
  const int stride = std::max(1, (decades + 9) / 10);
  std::vector<double> ticks;
  for (int power = first; power <= last; power += stride)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10, power);
      const bool inside = tick >= min * (1 - kSlack) && tick <= max * (1 + kSlack);
      if (inside && (digit == 1 || decades < 3)) ticks.push_back(tick);
    }
  return ticks;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> kDigits = {"⁰", "¹", "²", "³", "⁴",
                                                        "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : fmt::format("{}", number))
    text += c == '-' ? std::string_view("⁻") : kDigits[static_cast<std::size_t>(c - '0')];
  return text;
}

// "12,500"
std::string with_commas(const std::string& number) {
  const std::size_t sign = number.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string text;
  for (std::size_t at = 0; at < number.size(); ++at) {
    if (at > sign && at < point && (point - at) % 3 == 0) text += ',';
    text += number[at];
  }
  return text;
}

}  // namespace

bool can_show(Scale scale, double value) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

ChartAxis::ChartAxis(Scale scale, const std::vector<double>& values) : scale_(scale) {
  std::vector<double> shown;
  for (const double value : values)
    if (can_show(scale, value)) shown.push_back(value);
  if (shown.empty()) shown = scale == Scale::log ? std::vector{1.0, 10.0} : std::vector{0.0, 1.0};
  const auto [min, max] = std::ranges::minmax(shown);
  if (scale == Scale::log) {
    min_ = round_down(min);
    max_ = max > min ? round_up(max) : 10 * min_;
    ticks_ = log_ticks(min_, max_);
    return;
  }
  const double span = max > min ? max - min : max == 0 ? 1 : std::abs(max);
  // Numbers that differ in their last bits only are one to the eye.
  const double least = std::max(1e-12 * std::max(std::abs(min), std::abs(max)), 1e-300);
  unit_ = round_down(std::max(span / kTicksWanted * 1.6, least));
  ticks_ = linear_ticks(min, max, unit_);
  min_ = ticks_.front();
  max_ = ticks_.back();
}

double ChartAxis::share(double value) const {
  const auto place = [&](double v) { return scale_ == Scale::log ? std::log10(v) : v; };
  return (place(value) - place(min())) / (place(max()) - place(min()));
}

std::string ChartAxis::label(double tick) const {
  if (scale_ == Scale::linear) {
    const double largest = std::max(std::abs(min()), std::abs(max()));
    const int digits = std::clamp(static_cast<int>(std::log10(largest / unit_)) + 2, 3, 15);
    if (largest >= 1e7 || largest < 1e-4) return fmt::format("{:.{}g}", tick, digits);
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(unit_) - 1e-9)));
    return with_commas(fmt::format("{:.{}f}", tick == 0 ? 0.0 : tick, decimals));
  }
  if (min() >= 1e-2 && max() <= 1e5) return with_commas(fmt::format("{:.6g}", tick));
  const int power = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
  const double digit = std::round(tick / std::pow(10, power));
  return (digit == 1 ? "" : fmt::format("{}·", digit)) + "10" + superscript(power);
}

}  // namespace asynprox
