#include "asynprox/algorithm/step_judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace asynprox {
namespace {

// Of steps whose noise does not vanish.
constexpr BoldRules kNoisy = {.grow = 1.2, .least = 0};
constexpr int kEnlargement = 4;

}  // namespace

StepJudge::StepJudge(const JudgeOptions& options, Stopping stopping, EvaluationSchedule schedule)
    : options_(options),
      schedule_(schedule),
      state_{.pushes_per_step = options.pushes_per_step,
             .pushes_max = options.pushes_max,
             .batch_size = options.batch_size,
             .stopping = std::move(stopping)} {
  if (options.bold) state_.driver.emplace(options.pushes_per_pass > 0 ? kNoisy : BoldRules());
}

std::optional<double> StepJudge::boldness() const {
  if (!state_.driver) return std::nullopt;
  return state_.driver->boldness();
}

Ruling StepJudge::judge(const Evaluation& evaluation, std::int64_t k) {
  if (state_.fallen_back) return judge_fallback(evaluation);
  std::optional<BoldDriver>& driver = state_.driver;
  if (driver && state_.best.empty() && !std::isfinite(evaluation.objective))
    return {.stop = StopReason::diverged};
  const bool may_enlarge = state_.pushes_per_step < state_.pushes_max;
  const Judgement judgement =
      driver ? driver->judge(evaluation.objective, may_enlarge) : Judgement::fell;
  const bool fell = judgement == Judgement::fell;
  Ruling ruling = {.keep = driver && fell, .go_back = !fell};
  if (judgement == Judgement::noise) ruling.enlarged = enlarge_steps(k);
  if (driver && driver->hopeless()) return give_up(StopReason::diverged, ruling);
  const auto reason =
      fell ? state_.stopping.judge(evaluation) : state_.stopping.judge_rise(evaluation);
  state_.evaluation_next = next_evaluation(k);
  const bool late = options_.falls_back && evaluation.epochs >= options_.epochs_to_fallback;
  if (reason == StopReason::stalled || (!reason && late))
    return give_up(StopReason::stalled, ruling);
  ruling.stop = reason;
  if (reason || !state_.overflowed) return ruling;
  return go_back_from_overflow(ruling);
}

void StepJudge::change_from(const StoppingRules& before, std::int64_t k, double epochs) {
  state_.stopping.change_from(before, k, epochs);
  if (const auto steps_max = state_.stopping.steps_max())
    state_.evaluation_next = std::min(state_.evaluation_next, std::max(*steps_max, k + 1));
}

Ruling StepJudge::judge_fallback(const Evaluation& evaluation) {
  const auto reason = state_.stopping.judge_fallback(evaluation);
  state_.evaluation_due = !reason;
  return {.keep = true, .stop = reason};
}

Ruling StepJudge::give_up(StopReason reason, Ruling ruling) {
  if (!options_.falls_back || !has_best(ruling)) {
    ruling.stop = reason;
    return ruling;
  }
  state_.fallen_back = state_.evaluation_due = true;
  state_.overflowed = false;
  ruling.go_back = true;
  return ruling;
}

Ruling StepJudge::overflow(bool step_under_way) {
  if (!state_.driver || state_.best.empty()) return {.stop = StopReason::diverged};
  // A step or an evaluation may be using the model, beside this call.
  state_.overflowed = step_under_way || state_.evaluation_due;
  return state_.overflowed ? Ruling() : go_back_from_overflow({});
}

Ruling StepJudge::go_back_from_overflow(Ruling ruling) {
  if (!state_.driver || !has_best(ruling)) {
    ruling.stop = StopReason::diverged;
    return ruling;
  }
  state_.overflowed = false;
  state_.driver->overflow();
  ruling.go_back = ruling.forget = true;
  return state_.driver->hopeless() ? give_up(StopReason::diverged, ruling) : ruling;
}

std::int64_t StepJudge::next_evaluation(std::int64_t k) const {
  const std::int64_t next = options_.pushes_per_pass > 0
                                ? k + options_.pushes_per_pass / state_.pushes_per_step
                                : schedule_.next_after(k);
  const auto steps_max = state_.stopping.steps_max();
  return steps_max && *steps_max > k ? std::min(next, *steps_max) : next;
}

bool StepJudge::enlarge_steps(std::int64_t k) {
  const int m = state_.pushes_per_step, in_pass = options_.pushes_per_pass / m;
  // The least number of steps that make one, and leave a pass a whole number of steps.
  int times = std::min(kEnlargement, in_pass);
  while (in_pass % times != 0) ++times;
  if (m * times > state_.pushes_max) {
    state_.pushes_max = m;
    return false;
  }
  state_.pushes_per_step *= times;
  state_.batch_size *= times;
  state_.stopping.enlarge_steps(k, times);
  return true;
}

}  // namespace asynprox
