#include "asynprox/algorithm/stopping.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace asynprox {
namespace {

Evaluation at(std::int64_t steps, double epochs, double objective) {
  Evaluation evaluation;
  evaluation.steps = steps;
  evaluation.epochs = epochs;
  evaluation.objective = objective;
  evaluation.gradient_mapping = 1;
  return evaluation;
}

Evaluation of_fallback(double epochs, double objective, double mapping) {
  Evaluation evaluation = at(10, epochs, objective);
  evaluation.of_fallback = true;
  evaluation.fallback_mapping = mapping;
  evaluation.epochs_next = 1;
  return evaluation;
}

TEST(Stopping, TakesTheDefaultsOnlyIfNothingIsGiven) {
  EXPECT_EQ(Stopping({}, /*steps_per_epoch=*/10).steps_max(), 500);
  EXPECT_EQ(Stopping({.tolerance = 1e-3}, 10).steps_max(), std::nullopt);
  EXPECT_EQ(Stopping({.steps = 7}, 10).steps_max(), 7);
}

TEST(Stopping, EndsAtWhicheverLimitComesFirst) {
  Stopping epochs({.steps = 100, .epochs = 2}, /*steps_per_epoch=*/10);
  EXPECT_EQ(epochs.steps_max(), 20);
  EXPECT_EQ(epochs.judge(at(19, 1.9, 1)), std::nullopt);
  EXPECT_EQ(epochs.judge(at(20, 2, 1)), StopReason::epoch_limit);
  Stopping steps({.steps = 5, .epochs = 2}, 10);
  EXPECT_EQ(steps.judge(at(5, 0.5, 1)), StopReason::step_limit);
}

TEST(Stopping, OfLargerStepsAnEpochHasFewer) {
  Stopping stopping({.steps = 12, .epochs = 2}, /*steps_per_epoch=*/10);
  stopping.enlarge_steps(/*k=*/4, /*times=*/4);
  EXPECT_EQ(stopping.steps_max(), 8);
  EXPECT_EQ(stopping.judge(at(8, 2, 1)), StopReason::epoch_limit);
  Stopping steps({.steps = 12}, 10);
  steps.enlarge_steps(4, 4);
  EXPECT_EQ(steps.steps_max(), 12) << "a number of steps is one of any steps";
}

TEST(Stopping, WhatSearchesReadLeavesFewerSteps) {
  Stopping stopping({.epochs = 10}, /*steps_per_epoch=*/100);
  Evaluation evaluation = at(100, 3, 1);
  evaluation.epochs_searched = 2;
  EXPECT_EQ(stopping.judge(evaluation), std::nullopt);
  EXPECT_EQ(stopping.steps_max(), 800);  // seven epochs of nine are left
  evaluation.steps = 400;
  evaluation.epochs = 6;
  EXPECT_EQ(stopping.judge(evaluation), std::nullopt);
  EXPECT_EQ(stopping.steps_max(), 800) << "nothing more was read";
}

TEST(Stopping, TakesALimitBeyondCountingForNone) {
  EXPECT_EQ(Stopping({.epochs = 1e300}, /*steps_per_epoch=*/10).steps_max(), std::nullopt);
  EXPECT_EQ(Stopping({.steps = 3, .epochs = 1e300}, 10).steps_max(), 3);
}

TEST(Stopping, NeedsTwoQuietEvaluationsRunningToCallItStalled) {
  Stopping stopping({.tolerance = 1e-2}, 10);
  EXPECT_EQ(stopping.judge(at(0, 0, 1)), std::nullopt);
  EXPECT_EQ(stopping.judge(at(10, 1, 0.9995)), std::nullopt);  // quiet: 5e-4 <= 1e-3
  EXPECT_EQ(stopping.judge(at(20, 2, 0.99)), std::nullopt);    // loud
  EXPECT_EQ(stopping.judge(at(40, 4, 0.9895)), std::nullopt);  // quiet
  EXPECT_EQ(stopping.judge(at(70, 7, 0.9885)), StopReason::stalled);
  EXPECT_NE(stopping.detail(StopReason::stalled).find("3.4e-04"), std::string::npos);
}

TEST(Stopping, AnObjectiveThatStaysAtZeroIsStalled) {
  Stopping stopping({.tolerance = 1e-4}, 1);
  stopping.judge(at(0, 0, 0));
  stopping.judge(at(1, 1, 0));
  EXPECT_EQ(stopping.judge(at(2, 2, 0)), StopReason::stalled);
}

TEST(Stopping, AnInfiniteObjectiveIsDivergence) {
  Stopping stopping({.steps = 10}, 1);
  EXPECT_EQ(stopping.judge(at(3, 3, std::numeric_limits<double>::infinity())),
            StopReason::diverged);
  EXPECT_EQ(stopping.judge(at(4, 4, std::numeric_limits<double>::quiet_NaN())),
            StopReason::diverged);
}

// Where steps were too long and are to be taken again.
TEST(Stopping, ARiseIsNoNews) {
  Stopping stopping({.steps = 100, .tolerance = 1e-2}, 10);
  stopping.judge(at(0, 0, 1));
  stopping.judge(at(10, 1, 1));  // quiet
  EXPECT_EQ(stopping.judge_rise(at(20, 2, 1)), std::nullopt);
  EXPECT_EQ(stopping.judge_rise(at(30, 3, std::numeric_limits<double>::infinity())), std::nullopt);
  EXPECT_EQ(stopping.judge_rise(at(100, 10, 2)), StopReason::step_limit);
  // It was not counted as quiet, nor as the last: the next is compared with the one before.
  EXPECT_EQ(stopping.judge(at(40, 4, 1)), StopReason::stalled);
}

TEST(Stopping, EightRisesWithoutAFallAreAStall) {
  Stopping stopping({.tolerance = 1e-2}, 10), endless({.steps = 1000}, 10);
  stopping.judge(at(0, 0, 1));
  for (int i = 1; i <= 7; ++i) EXPECT_EQ(stopping.judge_rise(at(i, i, 2)), std::nullopt);
  EXPECT_EQ(stopping.judge(at(8, 8, 0.5)), std::nullopt);  // a fall: counted from here
  for (int i = 9; i <= 15; ++i) EXPECT_EQ(stopping.judge_rise(at(i, i, 2)), std::nullopt);
  EXPECT_EQ(stopping.judge_rise(at(16, 16, 2)), StopReason::stalled);
  for (int i = 1; i <= 20; ++i) EXPECT_EQ(endless.judge_rise(at(i, i, 2)), std::nullopt);
}

TEST(Stopping, WithoutAGapAQuietObjectiveAndASmallGradientMappingAreTheEnd) {
  for (const bool convex : {true, false}) {
    Stopping stopping({.tolerance = 1e-2}, {.steps_per_epoch = 10, .convex = convex});
    Evaluation evaluation = at(0, 0, 1);
    stopping.judge(evaluation);
    evaluation = at(10, 1, 0.5);
    evaluation.gradient_mapping = 0.009;
    EXPECT_EQ(stopping.judge(evaluation), std::nullopt) << "the objective still falls";
    evaluation.epochs = 2;
    EXPECT_EQ(stopping.judge(evaluation), std::nullopt);
    evaluation.epochs = 3;
    EXPECT_EQ(stopping.judge(evaluation), convex ? StopReason::converged : StopReason::stationary);
  }
}

// The rule of small changes then only tells that steps lead no further.
TEST(Stopping, WithAFallbackSmallChangesAreNoEnd) {
  Stopping stopping({.tolerance = 1e-2}, {.steps_per_epoch = 10, .falls_back = true});
  Evaluation evaluation = at(0, 0, 1);
  evaluation.gradient_mapping = 0;
  stopping.judge(evaluation);
  evaluation.epochs = 1;
  stopping.judge(evaluation);
  evaluation.epochs = 2;
  EXPECT_EQ(stopping.judge(evaluation), StopReason::stalled);
}

TEST(Stopping, TheFallbackEndsByItsGap) {
  Stopping stopping({.tolerance = 1e-2}, {.falls_back = true});
  stopping.judge(at(0, 0, 1));
  Evaluation evaluation = of_fallback(20, 0.5, 1e-9);
  evaluation.duality_gap = 0.006;
  EXPECT_EQ(stopping.judge_fallback(evaluation), std::nullopt) << "a gap is the better judge";
  evaluation.duality_gap = 0.005;
  EXPECT_EQ(stopping.judge_fallback(evaluation), StopReason::converged);
}

TEST(Stopping, TheFallbackWithoutAGapEndsByItsGradientMapping) {
  Stopping stopping({.tolerance = 1e-2}, {.falls_back = true});
  stopping.judge(at(0, 0, 1));
  EXPECT_EQ(stopping.judge_fallback(of_fallback(20, 0.5, 1e-9)), std::nullopt) << "it fell by half";
  EXPECT_EQ(stopping.judge_fallback(of_fallback(30, 0.5, 0.02)), std::nullopt);
  Evaluation evaluation = of_fallback(40, 0.4999, 0.01);
  EXPECT_EQ(stopping.judge_fallback(evaluation), std::nullopt) << "a slow fall may be a long one";
  evaluation.objective = 0.49989;
  evaluation.settled = true;
  EXPECT_EQ(stopping.judge_fallback(evaluation), StopReason::converged);
  EXPECT_NE(stopping.detail(StopReason::converged).find("no bound"), std::string::npos);
}

// Every model has a gap there: that this one's is not known proves nothing.
TEST(Stopping, NothingButAGapEndsAProblemOfWhichEveryModelHasOne) {
  for (const bool bounded : {true, false}) {
    Stopping stopping({.tolerance = 1e-2}, {.bounded = bounded, .falls_back = true});
    stopping.judge(at(0, 0, 1));
    Evaluation evaluation = of_fallback(20, 0.5, 1e-9);
    evaluation.settled = true;
    EXPECT_EQ(stopping.judge_fallback(evaluation), std::nullopt) << "it fell by half";
    const auto converged = std::optional(StopReason::converged);
    EXPECT_EQ(stopping.judge_fallback(evaluation), bounded ? std::nullopt : converged);
    EXPECT_EQ(stopping.confirms(evaluation), !bounded);
    evaluation.duality_gap = 0.004;
    EXPECT_TRUE(stopping.confirms(evaluation));
    EXPECT_EQ(stopping.judge_fallback(evaluation), converged);
  }
  Stopping named({.tolerance = 1e-2}, {.bounded = true});
  named.judge(at(0, 0, 1));
  Evaluation quiet = at(10, 10, 0.5);
  quiet.gradient_mapping = 0;
  std::optional<StopReason> reason;
  for (int i = 1; i < 9 && !reason; ++i) {
    quiet.epochs += 1;
    reason = named.judge(quiet);
  }
  EXPECT_EQ(reason, StopReason::stalled);
}

TEST(Stopping, AToleranceOfZeroIsNeverMet) {
  Stopping stopping({.tolerance = 0}, {.nonnegative = true, .falls_back = true});
  stopping.judge(at(0, 0, 1));
  Evaluation evaluation = of_fallback(20, 0.5, 0);
  std::optional<StopReason> reason;
  for (int i = 0; i < 9 && !reason; ++i) reason = stopping.judge_fallback(evaluation);
  EXPECT_EQ(reason, StopReason::stalled);
}

// The passes at which a run ends whose evaluations are those of `at_pass`.
std::int64_t end_of(const StoppingRules& rules, const StoppingContext& context, auto at_pass,
                    StopReason expected) {
  Stopping stopping(rules, context);
  stopping.judge(at(0, 0, 1));
  for (std::int64_t passes = 200; passes < 4'000'000; passes += 200) {
    Evaluation evaluation = at_pass(static_cast<double>(passes));
    evaluation.fallback_passes = passes;
    if (const auto reason = stopping.judge_fallback(evaluation)) {
      EXPECT_EQ(*reason, expected);
      if (reason == StopReason::stalled) {
        EXPECT_NE(stopping.detail(*reason).find("over a million"), std::string::npos);
      }
      return passes;
    }
  }
  return -1;
}

TEST(Stopping, AFallbackThatWouldTakeForEverEnds) {
  const StoppingContext positive = {.nonnegative = true, .falls_back = true};
  const auto as_one_over_k = [](double k) { return of_fallback(k, 1 / k, 1); };
  EXPECT_EQ(end_of({.tolerance = 1e-4}, positive, as_one_over_k, StopReason::stalled), 20'000);
  const auto slow_gap = [](double k) {
    Evaluation evaluation = of_fallback(k, 1 - 1e-9 * k, 1);
    evaluation.duality_gap = 1 / std::sqrt(k);
    return evaluation;
  };
  EXPECT_EQ(end_of({.tolerance = 1e-4}, positive, slow_gap, StopReason::stalled), 20'000);
  // One that comes to the tolerance within a million passes is waited for.
  const auto quick_gap = [](double k) {
    Evaluation evaluation = of_fallback(k, 1 + 5e5 / k / k, 1);
    evaluation.duality_gap = 3e6 / k / k;
    return evaluation;
  };
  const std::int64_t end = end_of({.tolerance = 1e-4}, positive, quick_gap, StopReason::converged);
  EXPECT_GT(end, 173'000);
  EXPECT_LT(end, 174'000);
  // Where there is none, the gradient mapping has to become small, too.
  const auto flat = [](double k) { return of_fallback(k, -1 - 1e-12 * k, 1); };
  EXPECT_EQ(end_of({.tolerance = 1e-4}, {.falls_back = true}, flat, StopReason::stalled), 20'000);
}

TEST(Stopping, AFallbackWhosePassesCostLittleIsGivenMoreOfThem) {
  const StoppingContext patient = {.passes_to_expect = 90'000, .falls_back = true};
  const auto as_one_over_k = [](double k) { return of_fallback(k, 1 / k, 1); };
  EXPECT_EQ(end_of({.tolerance = 1e-4}, patient, as_one_over_k, StopReason::stalled), 90'000);
}

TEST(Stopping, AFallbackWithALimitGoesOnUpToIt) {
  const auto as_one_over_k = [](double k) { return of_fallback(k, 1 / k, 1); };
  EXPECT_EQ(end_of({.seconds = 9, .tolerance = 1e-4}, {.falls_back = true}, as_one_over_k,
                   StopReason::stalled),
            -1);
}

TEST(Stopping, NoObjectiveIsBelowZeroWhereNoLossIsNegative) {
  for (const bool nonnegative : {true, false}) {
    Stopping stopping({.tolerance = 1e-2}, {.nonnegative = nonnegative, .falls_back = true});
    stopping.judge(at(0, 0, 1));
    Evaluation evaluation = of_fallback(20, 1e-3, 1);
    evaluation.objective_at_start = 1;
    EXPECT_EQ(stopping.judge_fallback(evaluation), std::nullopt);
    evaluation.objective = 1e-13;
    EXPECT_EQ(stopping.judge_fallback(evaluation),
              nonnegative ? std::optional(StopReason::converged) : std::nullopt);
  }
}

// An indicator has a duality gap, which is no smaller than the objective of a perfect fit.
TEST(Stopping, AnObjectiveAsGoodAsZeroIsAMinimumWhateverTheGap) {
  for (const bool fallback : {true, false}) {
    Stopping stopping({.tolerance = 1e-2}, {.nonnegative = true, .falls_back = fallback});
    stopping.judge(at(0, 0, 1));
    Evaluation evaluation = fallback ? of_fallback(20, 1e-11, 1) : at(20, 20, 1e-11);
    evaluation.objective_at_start = 1;
    evaluation.duality_gap = 1;
    const auto judge = [&] {
      return fallback ? stopping.judge_fallback(evaluation) : stopping.judge(evaluation);
    };
    EXPECT_EQ(judge(), std::nullopt);
    evaluation.objective = 1e-13;
    EXPECT_EQ(judge(), StopReason::converged);
    EXPECT_NE(stopping.detail(StopReason::converged, evaluation).find("cannot be negative"),
              std::string::npos);
  }
}

TEST(Stopping, AUselessBoundDoesNotSpeakAgainstTheGradientMapping) {
  for (const double gap : {10.0, 0.1}) {
    Stopping stopping({.tolerance = 1e-2}, {.convex = true});
    Evaluation evaluation = at(0, 0, 1);
    evaluation.duality_gap = gap;
    evaluation.gradient_mapping = 1;
    EXPECT_EQ(stopping.judge(evaluation), std::nullopt);
    evaluation.gradient_mapping = 1e-9;
    for (int i = 1; i <= 3; ++i) {
      evaluation.epochs = i;
      const auto reason = gap > 1 ? StopReason::stationary : StopReason::stalled;
      EXPECT_EQ(stopping.judge(evaluation), i < 3 ? std::nullopt : std::optional(reason)) << gap;
    }
  }
}

TEST(Stopping, TheFallbackStallsWhereOnlyRoundingIsLeft) {
  Stopping stopping({.tolerance = 1e-2}, {.falls_back = true});
  stopping.judge(at(0, 0, 1));
  Evaluation evaluation = of_fallback(20, 0.5, 1);
  evaluation.duality_gap = 0.4;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(stopping.judge_fallback(evaluation), std::nullopt) << i;
  Evaluation cut_short = evaluation;
  cut_short.cut_short = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(stopping.judge_fallback(cut_short), std::nullopt) << i;
  EXPECT_EQ(stopping.judge_fallback(evaluation), StopReason::stalled);
  EXPECT_NE(stopping.detail(StopReason::stalled).find("no useful bound"), std::string::npos);
  // A gap that moves is progress.
  evaluation.duality_gap = 0.3;
  EXPECT_EQ(stopping.judge_fallback(evaluation), std::nullopt);
}

TEST(Stopping, PassesOfTheFallbackCountAsStepsAndEpochs) {
  Stopping steps({.steps = 30, .tolerance = 1e-2}, {.falls_back = true});
  Evaluation evaluation = of_fallback(20, 0.5, 1);
  evaluation.fallback_passes = 19;
  EXPECT_EQ(steps.judge_fallback(evaluation), std::nullopt);
  evaluation.fallback_passes = 20;
  EXPECT_EQ(steps.judge_fallback(evaluation), StopReason::step_limit);
  Stopping epochs({.epochs = 21.5, .tolerance = 1e-2}, {.falls_back = true});
  EXPECT_EQ(epochs.judge_fallback(of_fallback(20, 0.5, 1)), std::nullopt);
  EXPECT_EQ(epochs.judge_fallback(of_fallback(20.5, 0.5, 1)), StopReason::epoch_limit);
}

TEST(Stopping, ALimitIsToldWithTheGapFirst) {
  const Evaluation last = {.steps = 60, .epochs = 60, .objective = 2, .duality_gap = 2e-12};
  const auto detail = [&](const StoppingRules& rules, const Evaluation& evaluation) {
    Stopping stopping(rules, 1);
    const auto reason = stopping.judge(evaluation);
    return reason ? stopping.detail(*reason) : "no end";
  };
  // Nothing was asked for that could have been missed.
  const std::string ended =
      "the run ended at its limit on epochs, 60 (relative change of the "
      "objective per epoch: 0.0e+00)";
  EXPECT_EQ(detail({.epochs = 60}, last), "the relative duality gap is 1.0e-12, and " + ended);
  EXPECT_EQ(detail({.epochs = 60}, {.steps = 60, .epochs = 60, .objective = 2}), ended);
  EXPECT_EQ(detail({.epochs = 60, .tolerance = 1e-13}, last),
            "not converged: the relative duality gap is 1.0e-12, and " + ended);
  EXPECT_TRUE(detail({.steps = 60}, last).find("its limit on steps, 60") != std::string::npos);
}

TEST(EvaluationSchedule, GrowsAsFibonacciInEpochs) {
  const auto schedule = EvaluationSchedule::at_growing_epochs(/*steps_per_epoch=*/2.5);
  std::vector<std::int64_t> steps;
  for (std::int64_t k = 0; k < 60;) steps.push_back(k = schedule.next_after(k));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{3, 5, 8, 13, 20, 33, 53, 85}));
}

TEST(EvaluationSchedule, AlwaysMovesForwardEvenIfAStepIsManyEpochs) {
  const auto schedule = EvaluationSchedule::at_growing_epochs(/*steps_per_epoch=*/0.3);
  std::int64_t k = 0;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t next = schedule.next_after(k);
    ASSERT_GT(next, k);
    k = next;
  }
}

// Gaps in epochs: 0.5, 0.65, 0.845, 1.0985, ..., then 2.
TEST(EvaluationSchedule, OftenIsHalfAnEpochThenSlowlyLessOften) {
  const auto schedule = EvaluationSchedule::often(/*steps_per_epoch=*/1000);
  std::vector<std::int64_t> steps;
  for (std::int64_t k = 0; k < 13000;) steps.push_back(k = schedule.next_after(k));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{500, 1150, 1995, 3094, 4522, 6379, 8379, 10379, 12379,
                                              14379}));
}

TEST(EvaluationSchedule, OftenMayBeginEarlier) {
  const auto schedule = EvaluationSchedule::often(/*steps_per_epoch=*/1000, /*first=*/0.125);
  std::vector<std::int64_t> steps;
  for (std::int64_t k = 0; k < 1500;) steps.push_back(k = schedule.next_after(k));
  EXPECT_EQ(steps, (std::vector<std::int64_t>{125, 500, 1150, 1995}));
}

// Also from a step at which it did not evaluate, and after very many.
TEST(EvaluationSchedule, OftenIsAFunctionOfTheStepAlone) {
  for (const double steps_per_epoch : {0.1, 0.7, 3.0, 1000.0}) {
    const auto schedule = EvaluationSchedule::often(steps_per_epoch);
    std::int64_t next = schedule.next_after(0);
    for (std::int64_t k = 0; k < 30000; ++k) {
      if (k == next) next = schedule.next_after(k);
      ASSERT_GT(next, k);
      ASSERT_EQ(schedule.next_after(k), next) << k << " of " << steps_per_epoch;
    }
    const std::int64_t late = 4'000'000'000'000;
    EXPECT_GT(schedule.next_after(late), late);
    EXPECT_LE(static_cast<double>(schedule.next_after(late) - late), 2 * steps_per_epoch + 1);
  }
}

TEST(EvaluationSchedule, RepeatsEverySoManySteps) {
  const auto schedule = EvaluationSchedule::every(7);
  EXPECT_EQ(schedule.next_after(0), 7);
  EXPECT_EQ(schedule.next_after(6), 7);
  EXPECT_EQ(schedule.next_after(7), 14);
}

TEST(Stopping, NumbersThatAreInfiniteEndTheFallbackToo) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double objective : {-infinity, infinity, std::numeric_limits<double>::quiet_NaN()}) {
    Stopping stopping({.tolerance = 1e-4}, {.convex = false, .falls_back = true});
    EXPECT_EQ(stopping.judge_fallback(of_fallback(20, objective, 0)), StopReason::diverged);
  }
}

TEST(Stopping, AnObjectiveWithoutLimitIsSaidToHaveNone) {
  for (const bool fallback : {true, false}) {
    Stopping stopping({.tolerance = 1e-4}, {.convex = false, .falls_back = true});
    Evaluation evaluation = of_fallback(20, -1, 0);
    evaluation.unbounded = true;
    EXPECT_EQ(fallback ? stopping.judge_fallback(evaluation) : stopping.judge(evaluation),
              StopReason::diverged);
    const std::string detail = stopping.detail(StopReason::diverged);
    EXPECT_NE(detail.find("unbounded below"), std::string::npos) << detail;
    EXPECT_NE(detail.find("nonneg-ball:1"), std::string::npos) << detail;
  }
}

// What the last model's own evaluation says against it counts.
TEST(Stopping, ConfirmsAnEndOrNot) {
  Stopping stopping({.tolerance = 1e-4}, {.nonnegative = true});
  Evaluation evaluation = at(100, 10, 2);
  EXPECT_TRUE(stopping.confirms(evaluation)) << "where there is no gap";
  evaluation.duality_gap = 1.9e-4;
  EXPECT_TRUE(stopping.confirms(evaluation));
  evaluation.duality_gap = 2.1e-4;
  EXPECT_FALSE(stopping.confirms(evaluation));
  Evaluation within = evaluation;
  within.duality_gap = 1e-5;
  ASSERT_EQ(stopping.judge(within), StopReason::converged);
  EXPECT_NE(stopping.detail(StopReason::stalled, evaluation).find("does not agree"),
            std::string::npos);
  evaluation.objective_at_start = 3e12;
  EXPECT_TRUE(stopping.confirms(evaluation)) << "as good as zero";
}

}  // namespace
}  // namespace asynprox
