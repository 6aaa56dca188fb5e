#include "reproduce/speedup.h"

#include <limits>

#include "asynprox/base/errors.h"

namespace asynprox::reproduce {
namespace {

template <class Of>
Spread over_seeds(const std::vector<CurvePoint>& points, Of of) {
  std::vector<double> values;
  for (const CurvePoint& point : points) values.push_back(of(point));
  return spread_of(values);
}

Spread ratio(double factor, const Spread& one, const Spread& many) {
  const double mean = factor * one.mean / many.mean;
  return {mean, mean * many.deviation / many.mean};
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
  return over_seeds(runs.interpolated, [](const CurvePoint& point) { return point.seconds; }).mean;
}

std::vector<Speedup> speedups(const std::vector<Passages>& runs) {
  require(!runs.empty(), "speedups: expected at least one number of workers");
  const Passages& base = runs.front();
  std::vector<Speedup> all;
  const auto steps = [](const CurvePoint& point) { return point.steps; };
  const auto samples = [](const CurvePoint& point) { return point.sample_gradients; };
  const auto seconds = [](const CurvePoint& point) { return point.seconds; };
  for (const Passages& these : runs) {
    const double p = static_cast<double>(these.workers) / base.workers;
    all.push_back(
        {.workers = these.workers,
         .steps = over_seeds(these.first, steps),
         .steps_interpolated = over_seeds(these.interpolated, steps),
         .iteration = ratio(p, over_seeds(base.first, samples), over_seeds(these.first, samples)),
         .iteration_interpolated = ratio(p, over_seeds(base.interpolated, samples),
                                         over_seeds(these.interpolated, samples)),
         .time = ratio(1, over_seeds(base.first, seconds), over_seeds(these.first, seconds)),
         .time_interpolated = ratio(1, over_seeds(base.interpolated, seconds),
                                    over_seeds(these.interpolated, seconds)),
         .staleness = spread_of(these.staleness_means)});
  }
  return all;
}

}  // namespace asynprox::reproduce
