#include "reproduce/speedup.h"

#include <limits>

#include "asynprox/base/errors.h"

namespace asynprox::reproduce {
namespace {

template <class Of>
Spread over_seeds(const Passages& runs, Of of) {
  std::vector<double> values;
  for (std::size_t i = 0; i < runs.first.size(); ++i) values.push_back(of(i));
  return spread_of(values);
}

}  // namespace

Passages passages(const PaperProblem& problem, Options options,
                  const std::vector<std::uint64_t>& seeds, const Watch& watch) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  constexpr CurvePoint kUnreached = {kNever, kNever, kNever, kNever, kNever};
  Passages runs{.workers = options.workers};
  for (const std::uint64_t seed : seeds) {
    options.seed = seed;
    const Curve curve = measure(problem, options, kTarget, watch);
    runs.first.push_back(first_passage(curve).value_or(kUnreached));
    runs.interpolated.push_back(interpolated_passage(curve).value_or(kUnreached));
    runs.staleness_means.push_back(curve.staleness_mean);
  }
  return runs;
}

double mean_seconds(const Passages& runs) {
  return over_seeds(runs, [&](std::size_t i) { return runs.interpolated[i].seconds; }).mean;
}

std::vector<Speedup> speedups(const std::vector<Passages>& runs) {
  require(!runs.empty(), "speedups: expected at least one number of workers");
  const Passages& base = runs.front();
  std::vector<Speedup> all;
  for (const Passages& these : runs) {
    require(these.first.size() == base.first.size(), "speedups: expected the same seeds for all");
    const double p = static_cast<double>(these.workers) / base.workers;
    const auto iteration = [p](const CurvePoint& one, const CurvePoint& many) {
      return p * one.sample_gradients / many.sample_gradients;
    };
    const auto time = [](const CurvePoint& one, const CurvePoint& many) {
      return one.seconds / many.seconds;
    };
    const auto compared = [&](auto ratio, const std::vector<CurvePoint>& ones,
                              const std::vector<CurvePoint>& manys) {
      return over_seeds(these, [&](std::size_t i) { return ratio(ones[i], manys[i]); });
    };
    all.push_back(
        {.workers = these.workers,
         .steps = over_seeds(these, [&](std::size_t i) { return these.first[i].steps; }),
         .steps_interpolated =
             over_seeds(these, [&](std::size_t i) { return these.interpolated[i].steps; }),
         .iteration = compared(iteration, base.first, these.first),
         .iteration_interpolated = compared(iteration, base.interpolated, these.interpolated),
         .time = compared(time, base.first, these.first),
         .time_interpolated = compared(time, base.interpolated, these.interpolated),
         .staleness = spread_of(these.staleness_means)});
  }
  return all;
}

}  // namespace asynprox::reproduce
