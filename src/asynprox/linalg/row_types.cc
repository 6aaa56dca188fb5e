#include "asynprox/linalg/row_types.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace asynprox {
namespace {

// Also the sign of a zero must come back.
bool is_byte(double value) {
  return value >= 0 && value <= 255 && !std::signbit(value) && value == std::trunc(value);
}

bool is_float(double value) {
  return std::fabs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

}  // namespace

ValueType narrowest_values(std::span<const double> values) {
  if (std::ranges::all_of(values, [](double value) { return value == 1; })) return ValueType::ones;
  if (std::ranges::all_of(values, is_byte)) return ValueType::u8;
  if (std::ranges::all_of(values, is_float)) return ValueType::f32;
  return ValueType::f64;
}

}  // namespace asynprox
