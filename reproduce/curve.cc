#include "reproduce/curve.h"

#include <algorithm>
#include <cmath>

#include "asynprox/solve.h"

namespace asynprox::reproduce {

Curve measure(const PaperProblem& problem, Options options, double down_to, const Watch& watch) {
  watch.check();
  std::atomic<bool> enough = false;
  const double optimum = problem.reference.optimum;
  options.start = Start::uniform;
  if (!options.trace_every) options.trace_every = 1;
  options.interrupt = &enough;
  options.on_evaluation = [&](const Evaluation& now) {
    const bool wanted = watch.interrupt && watch.interrupt->load();
    if (wanted || now.objective - optimum <= down_to) enough = true;
  };
  const Result result = solve(problem.f, NonNegBall{}, options);
  watch.check();
  Curve curve;
  for (const Evaluation& at : result.trace)
    curve.points.push_back({.steps = static_cast<double>(at.steps),
                            .sample_gradients = static_cast<double>(at.sample_gradients),
                            .epochs = at.epochs,
                            .seconds = at.seconds,
                            .suboptimality = at.objective - optimum});
  curve.staleness_mean = result.staleness.mean();
  curve.staleness_max = result.staleness.max;
  return curve;
}

std::optional<CurvePoint> first_passage(const Curve& curve, double target) {
  const auto passage = std::ranges::find_if(
      curve.points, [&](const CurvePoint& point) { return point.suboptimality <= target; });
  return passage == curve.points.end() ? std::nullopt : std::optional(*passage);
}

std::optional<CurvePoint> interpolated_passage(const Curve& curve, double target) {
  const auto after = std::ranges::find_if(
      curve.points, [&](const CurvePoint& point) { return point.suboptimality <= target; });
  if (after == curve.points.end()) return std::nullopt;
  if (after == curve.points.begin() || after->suboptimality <= 0) return *after;
  const CurvePoint& before = *std::prev(after);
  const double share = std::log(before.suboptimality / target) /
                       std::log(before.suboptimality / after->suboptimality);
  return CurvePoint{
      .steps = std::lerp(before.steps, after->steps, share),
      .sample_gradients = std::lerp(before.sample_gradients, after->sample_gradients, share),
      .epochs = std::lerp(before.epochs, after->epochs, share),
      .seconds = std::lerp(before.seconds, after->seconds, share),
      .suboptimality = target};
}

}  // namespace asynprox::reproduce
