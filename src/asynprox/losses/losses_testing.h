// For laws of losses: what to test each with, and how exact its formulas can be.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"

namespace asynprox {

// The settings to test a loss with: as it is by default, and more where it has parameters.
template <class Loss>
std::vector<Loss> examples() {
  return {Loss{}};
}
template <>
inline std::vector<HuberLoss> examples() {
  return {{}, {.delta = 0.1}, {.delta = 7}};
}

template <ScalarLoss Loss>
std::vector<double> labels_of() {
  switch (Loss::labels) {
    case Labels::none: return {0};
    case Labels::signs: return {-1, 1};
    case Labels::number: break;
    case Labels::classes: return {};
  }
  std::vector<double> labels = {0, 1, -2.5, 40};
  if constexpr (HasLabelLeast<Loss>)
    std::erase_if(labels, [](double y) { return y < Loss::label_least; });
  return labels;
}

// How far out a loss is finite.
template <class Loss>
constexpr double reach() {
  return HasCurvature<Loss> ? 1000 : 700;
}

// Calls check(loss, u, y) for every example and label, with 2,000 values of u: half of them within
// 5 of zero or of the label, half spread to where the loss ends, or to 1000.
template <ScalarLoss Loss>
void for_many_points(auto&& check) {
  const Random random(11);
  for (const Loss& loss : examples<Loss>())
    for (const double y : labels_of<Loss>())
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const double centred = 2 * random.uniform_at(i) - 1;
        const double centre = Loss::labels == Labels::number && i % 4 == 0 ? y : 0;
        check(loss, centre + centred * (i % 2 == 0 ? 5 : reach<Loss>()), y);
      }
}

// The sizes of the terms that a value and a derivative are the sum of: rounding is relative to
// them.
template <class Loss>
double value_size(const Loss& loss, double u, double y) {
  return std::abs(loss.value(u, y));
}
inline double value_size(const PoissonLoss&, double u, double y) {
  return std::exp(u) + std::abs(y * u);
}
template <class Loss>
double derivative_size(const Loss& loss, double u, double y) {
  return std::abs(loss.derivative(u, y));
}
inline double derivative_size(const PoissonLoss&, double u, double y) { return std::exp(u) + y; }

}  // namespace asynprox
