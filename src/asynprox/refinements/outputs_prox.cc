#include "asynprox/refinements/outputs_prox.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asynprox {
namespace {

constexpr int kStepsMax = 100;
constexpr double kRounding = 1e-14;  // of what is added up
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where the outputs may be.
struct Bracket {
  Vector low, high;
};

void evaluate(const AnyFiniteSum& f, OutputsProx& found) {
  const std::size_t n = found.outputs.size();
  found.scalars.resize(n);
  found.curvatures.resize(n);
  for_samples(0, n, [&](Samples samples) {
    const std::size_t first = samples.front(), count = samples.size();
    const std::span<const double> u = std::span(found.outputs).subspan(first, count);
    const std::span<double> c = std::span(found.scalars).subspan(first, count);
    f.linear()->scalars_of_outputs(samples, u, c);
    f.linear()->curvatures_of_outputs(samples, u, c,
                                      std::span(found.curvatures).subspan(first, count));
  });
}

// One Newton step for each, or half of the bracket where that leaves it. True: all have been found.
bool improve(std::span<const double> centres, double weight, OutputsProx& found, Bracket& bracket) {
  bool all = true;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    double& u = found.outputs[i];
    double& curvature = found.curvatures[i];
    curvature = curvature > 0 ? curvature : 0;
    const double pull = weight * found.scalars[i], error = u + pull - centres[i];
    const double size = std::abs(u) + std::abs(pull) + std::abs(centres[i]);
    if (std::abs(error) <= kRounding * size) continue;
    double& low = bracket.low[i];
    double& high = bracket.high[i];
    if (error > 0) {
      high = u;
      low = std::max(low, u - error);
    } else {
      low = u;
      high = std::min(high, u - error);
    }
    if (!(high - low > kRounding * (std::abs(low) + std::abs(high)))) continue;
    all = false;
    const double next = u - error / (1 + weight * curvature);
    u = next > low && next < high ? next : 0.5 * (low + high);
  }
  return all;
}

}  // namespace

bool prox_of_outputs(const AnyFiniteSum& f, std::span<const double> centres, double tau,
                     OutputsProx& found) {
  const std::size_t n = centres.size();
  const double weight = tau / static_cast<double>(n);
  Bracket bracket{.low = Vector(n, -kInfinity), .high = Vector(n, kInfinity)};
  for (int step = 0; step < kStepsMax; ++step) {
    evaluate(f, found);
    if (!all_finite(found.outputs)) return false;
    if (improve(centres, weight, found, bracket)) break;
  }
  return all_finite(found.scalars) && all_finite(found.outputs);
}

}  // namespace asynprox
