#include "asynprox/refinements/common_shift.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace asynprox {
namespace {

// Of h: a change of less is rounding, and no reason to change a model, unless to one of more zeros.
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

void shift(std::span<double> coefficients, double by) {
  for (double& coefficient : coefficients) coefficient -= by;
}

// By h of the feature alone: beside that of all, a column of large entries, whose coefficients are
// small, would not be seen.
void choose_per_feature(const AnyRegularizer& h, std::span<double> x, std::size_t outputs) {
  std::vector<Key> keys(outputs);
  for (std::size_t first = 0; first < x.size(); first += outputs) {
    const std::span<double> own = x.subspan(first, outputs);
    if (count_nonzeros(own) == 0) continue;  // that stays, as most features of wide data do
    std::iota(keys.begin(), keys.end(), static_cast<Key>(first));
    double least = h.value_each(keys, own);
    Vector sorted(own.begin(), own.end());
    const Vector before = sorted;
    for (const double by : {median(sorted), mean(before)}) {
      Vector candidate = before;
      shift(candidate, by);
      const double value = h.value_each(keys, candidate);
      const bool sparser = count_nonzeros(candidate) < count_nonzeros(own);
      if (!(value < least * (sparser ? 1 + kRounding : 1 - kRounding))) continue;
      least = value;
      std::ranges::copy(candidate, own.begin());
    }
  }
}

template <class Center>
Vector shifted(std::span<const double> x, std::size_t seen, std::size_t outputs, Center center) {
  Vector result(x.begin(), x.end());
  Vector coefficients(outputs);
  for (std::size_t first = 0; first < seen; first += outputs) {
    std::ranges::copy(x.subspan(first, outputs), coefficients.begin());
    shift(std::span(result).subspan(first, outputs), center(coefficients));
  }
  return result;
}

}  // namespace

void choose_common_shift(const Problem& problem, std::span<double> x) {
  const LinearPredictor* linear = problem.f.linear();
  if (!linear || !linear->ignores_common_shift()) return;
  const std::size_t outputs = problem.f.outputs(), seen = x.size() - problem.f.num_free();
  if (problem.h.separable()) return choose_per_feature(problem.h, x.first(seen), outputs);
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
