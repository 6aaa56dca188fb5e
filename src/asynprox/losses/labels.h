// What a loss takes for y.
#pragma once

#include <concepts>

namespace asynprox {

enum class Labels {
  none,     // y is not looked at
  signs,    // y is -1 or +1
  number,   // any real y, or what `label_least` leaves of them
  classes,  // y is the number of an output, 0 to C - 1
};

// label_least: no y below it has a meaning.
template <class Loss>
concept HasLabelLeast = requires {
  { Loss::label_least } -> std::convertible_to<double>;
};

}  // namespace asynprox
