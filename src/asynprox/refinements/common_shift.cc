#include "asynprox/refinements/common_shift.h"

#include <algorithm>
#include <numeric>

namespace asynprox {
namespace {

// Of h: a fall of less is rounding, and no reason to change a model.
constexpr double kRounding = 1e-14;

// Of an even number of coefficients each point between the two in the middle is a median: the one
// nearest to 0 leaves zeros as they are.
double median(Vector& coefficients) {
  const std::size_t size = coefficients.size();
  std::ranges::sort(coefficients);
  return std::clamp(0.0, coefficients[(size - 1) / 2], coefficients[size / 2]);
}

double mean(const Vector& coefficients) {
  return std::accumulate(coefficients.begin(), coefficients.end(), 0.0) /
         static_cast<double>(coefficients.size());
}

template <class Center>
Vector shifted(std::span<const double> x, std::size_t seen, std::size_t outputs, Center center) {
  Vector result(x.begin(), x.end());
  Vector coefficients(outputs);
  for (std::size_t first = 0; first < seen; first += outputs) {
    std::ranges::copy(x.subspan(first, outputs), coefficients.begin());
    const double shift = center(coefficients);
    for (std::size_t j = first; j < first + outputs; ++j) result[j] -= shift;
  }
  return result;
}

}  // namespace

void choose_common_shift(const Problem& problem, std::span<double> x) {
  const LinearPredictor* linear = problem.f.linear();
  if (!linear || !linear->ignores_common_shift()) return;
  const std::size_t outputs = problem.f.outputs(), seen = x.size() - problem.f.num_free();
  double least = problem.h.value(x);
  for (const Vector& candidate :
       {shifted(x, seen, outputs, median), shifted(x, seen, outputs, mean)}) {
    const double value = problem.h.value(candidate);
    if (!(value < least * (1 - kRounding))) continue;
    least = value;
    std::ranges::copy(candidate, x.begin());
  }
}

}  // namespace asynprox
