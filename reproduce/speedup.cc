#include "reproduce/speedup.h"

#include <algorithm>
#include <limits>
#include <thread>

#include "asynprox/base/errors.h"

#include "reproduce/side_by_side.h"

namespace asynprox::reproduce {
namespace {

template <class Of>
Spread over_seeds(const std::vector<CurvePoint>& points, Of of) {
  std::vector<double> values(points.size());
  std::ranges::transform(points, values.begin(), of);
  return spread_of(values);
}

Spread ratio(double factor, const Spread& one, const Spread& many) {
  const double mean = factor * one.mean / many.mean;
  return {mean, mean * many.deviation / many.mean};
}

}  // namespace

Passages passages(const PaperProblem& problem, const Options& options,
                  const std::vector<std::uint64_t>& seeds, const Watch& watch) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  constexpr CurvePoint kUnreached = {kNever, kNever, kNever, kNever, kNever};
  const std::size_t count = seeds.size();
  Passages runs{.workers = options.workers,
                .first = std::vector<CurvePoint>(count),
                .interpolated = std::vector<CurvePoint>(count),
                .staleness_means = std::vector<double>(count)};
  // Virtual time does not mind company; real time does.
  const bool alone = runtime_of(options) == Runtime::threads;
  side_by_side(alone ? 1 : std::thread::hardware_concurrency(), count, [&](std::size_t i) {
    Options own = options;
    own.seed = seeds[i];
    const Curve curve = measure(problem, own, kTarget, watch);
    runs.first[i] = first_passage(curve).value_or(kUnreached);
    runs.interpolated[i] = interpolated_passage(curve).value_or(kUnreached);
    runs.staleness_means[i] = curve.staleness_mean;
  });
  return runs;
}

double mean_seconds(const Passages& runs) {
  return over_seeds(runs.interpolated, [](const CurvePoint& point) { return point.seconds; }).mean;
}

double mean_seconds_first(const Passages& runs) {
  return over_seeds(runs.first, [](const CurvePoint& point) { return point.seconds; }).mean;
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
