#include "asynprox/refinements/outputs_prox.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace asynprox {
namespace {

constexpr int kStepsMax = 400;
constexpr double kRounding = 1e-14;  // of what is added up
constexpr double kNothing = 1e-20;   // a bracket of this length about 0 is none
constexpr double kLeft = 0.25;       // of the error: a step that leaves more is slow
constexpr double kAside = 1e-7;      // of an output: how far aside F' is taken, for F''
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where the outputs may be, and the size of the error at the last of them.
struct Bracket {
  Vector low, high, error;
};

// F'' by differences: where the model nearly interpolates the data most samples are close to a kink of F',
// and those that f knows (linear_predictor.h) reach across it.
void evaluate(const AnyFiniteSum& f, OutputsProx& found) {
  const std::size_t n = found.outputs.size();
  found.scalars.resize(n);
  found.curvatures.resize(n);
  const auto aside = [](double u) { return u + kAside * (1 + std::abs(u)); };
  std::ranges::transform(found.outputs, found.curvatures.begin(), aside);
  for_samples(0, n, [&](Samples samples) {
    const std::size_t first = samples.front(), count = samples.size();
    const std::span<double> there = std::span(found.curvatures).subspan(first, count);
    f.linear()->scalars_of_outputs(samples, std::span(found.outputs).subspan(first, count),
                                   std::span(found.scalars).subspan(first, count));
    f.linear()->scalars_of_outputs(samples, there, there);
  });
  for (std::size_t i = 0; i < n; ++i) {
    const double rise = found.curvatures[i] - found.scalars[i];
    found.curvatures[i] = rise > 0 ? rise / (aside(found.outputs[i]) - found.outputs[i]) : 0;
  }
}

// One Newton step for each, or half of the bracket: where that leaves it, and where the last step was slow,
// as those are that begin beside a kink, or far up an exponential. True: all have been found.
bool improve(std::span<const double> centres, double weight, OutputsProx& found, Bracket& bracket) {
  bool all = true;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    double& u = found.outputs[i];
    const double pull = weight * found.scalars[i], error = u + pull - centres[i];
    const double size = std::abs(u) + std::abs(pull) + std::abs(centres[i]);
    double& low = bracket.low[i];
    double& high = bracket.high[i];
    if (std::isfinite(size) && std::abs(error) <= kRounding * size) continue;
    if (error > 0) {
      high = u;
      low = std::max(low, u - error);
    } else {
      low = u;
      high = std::min(high, u - error);
    }
    const bool bounded = std::isfinite(low) && std::isfinite(high);  // else f overflows
    const double least = kRounding * (std::abs(low) + std::abs(high)) + kNothing;
    if (!bounded || !(high - low > least)) continue;
    all = false;
    const double next = u - error / (1 + weight * found.curvatures[i]);
    const bool quick = std::abs(error) <= kLeft * std::exchange(bracket.error[i], std::abs(error));
    u = quick && next >= low && next <= high ? next : 0.5 * (low + high);
  }
  return all;
}

}  // namespace

bool prox_of_outputs(const AnyFiniteSum& f, std::span<const double> centres, double tau,
                     OutputsProx& found) {
  const std::size_t n = centres.size();
  const double weight = tau / static_cast<double>(n);
  Bracket bracket{
      .low = Vector(n, -kInfinity), .high = Vector(n, kInfinity), .error = Vector(n, kInfinity)};
  for (int step = 0; step < kStepsMax; ++step) {
    evaluate(f, found);
    if (!all_finite(found.outputs)) return false;
    if (improve(centres, weight, found, bracket)) return all_finite(found.scalars);
  }
  return false;
}

}  // namespace asynprox
