// When a run ends, and why.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "asynprox/algorithm/trace.h"
#include "asynprox/base/fields.h"
#include "asynprox/base/option.h"

namespace asynprox {

enum class StopReason {
  converged,  // the tolerance was met: by the duality gap, or where there is none as judge() says
  stalled,    // the objective hardly changes any more
  step_limit,
  epoch_limit,
  time_limit,
  diverged,  // numbers became infinite, or nothing better than the start was found
  interrupted,
  stationary,  // f is not convex, or has no value, and the gradient mapping is small
};

inline constexpr std::array kStopReasons = {
    StopReason::converged,  StopReason::stalled,  StopReason::step_limit,  StopReason::epoch_limit,
    StopReason::time_limit, StopReason::diverged, StopReason::interrupted, StopReason::stationary};

std::string_view name(StopReason reason);

// Whichever comes first. None at all: a tolerance of 1e-4 and 50 epochs.
struct StoppingRules {
  std::optional<std::int64_t> steps = {};
  std::optional<double> epochs = {};
  std::optional<double> seconds = {};
  std::optional<double> tolerance = {};

  bool any() const { return steps || epochs || seconds || tolerance; }

  static constexpr auto options() {
    return std::tuple(
        option(&StoppingRules::epochs, "epochs", at_least(0),
               "stop after this many passes over the data"),
        option(&StoppingRules::steps, "steps", Whole{.least = 0}, "stop after this many steps"),
        option(
            &StoppingRules::seconds, "seconds", at_least(0),
            "stop after this many seconds, evaluations not counted but for those of the fallback"),
        option(&StoppingRules::tolerance, "tolerance", at_least(0),
               "stop when the objective is at most this fraction of itself above its minimum, by "
               "its duality gap, or where there is none by its gradient mapping; 0: never",
               "1e-4 for a linear model with --method auto and --step auto, or with --method "
               "prox-newton, whatever limits are given; else 1e-4 if no limit is given, and 50 "
               "epochs (200 with asyn-prox-saga and asyn-prox-svrg)"));
  }
};

// What the rules mean for a problem and a method.
struct StoppingContext {
  double steps_per_epoch = 1;
  // What the first step costs, where workers read all their samples for it.
  double epochs_first = 0;
  bool convex = true;        // f
  bool nonnegative = false;  // no objective is below 0, as h is not
  // Every model has a finite duality gap: an evaluation without one says nothing of how near it is.
  bool bounded = false;
  // So many passes of the fallback are made before it may be too slow: more where a pass costs little.
  std::int64_t passes_to_expect = 20'000;
  // A run that makes no progress goes on by other means (server.h): small changes of the objective
  // end no run, and without a limit of the caller there is none.
  bool falls_back = false;
};

class Stopping {
 public:
  Stopping(const StoppingRules& rules, const StoppingContext& context);
  Stopping(const StoppingRules& rules, double steps_per_epoch, double epochs_first = 0)
      : Stopping(rules, {.steps_per_epoch = steps_per_epoch, .epochs_first = epochs_first}) {}

  // As used: the defaults, if nothing was given.
  const StoppingRules& rules() const { return rules_; }

  // K, where a number of steps or epochs limits the run.
  std::optional<std::int64_t> steps_max() const;

  // This is a run that had other rules up to step k, where so many epochs were done.
  void change_from(const StoppingRules& before, std::int64_t k, double epochs);

  // From step k on, steps are so many times as large. A limit on steps themselves stays.
  void enlarge_steps(std::int64_t k, int times);

  // What the newest evaluation decides. "Converged" needs a duality gap of at most tolerance times
  // |objective|, or an objective that cannot be negative and is at most 1e-12 of its value at the
  // start. Where there is no gap, a run ends when the objective changed by at most
  // tolerance / 10, relative and per epoch, at two evaluations in a row: as "converged" (f convex)
  // or "stationary" if the gradient mapping is at most tolerance times its value at the start, else
  // as "stalled". A gap that does not close, and an objective that changes by at most
  // tolerance / 1000, at three evaluations in a row, is "stalled" too. Where f has no value, a run
  // is "stationary" when the gradient mapping is at most tolerance times its value at the start, at
  // two evaluations in a row.
  std::optional<StopReason> judge(const Evaluation& evaluation);

  // The same of an evaluation of the fallback, which is many passes over the data. Without a gap,
  // it also needs the fallback's own gradient mapping, or Newton's method, to say that next to
  // nothing is left. "Stalled" means that nothing falls any more but by rounding,
  // or, without a limit, so slowly that the tolerance would take more than a million passes.
  std::optional<StopReason> judge_fallback(const Evaluation& evaluation);

  // The same where the objective rose, so that the run goes on from an earlier model: limits, and
  // "stalled" where it has risen eight times since it last fell by more than tolerance / 1000.
  std::optional<StopReason> judge_rise(const Evaluation& evaluation);

  // Does the last model's own evaluation, once the run is over, agree that it converged?
  bool confirms(const Evaluation& final) const;

  // The reason in a sentence, with figures of the last evaluations; of the `final` one, where more
  // was found out after the end.
  std::string detail(StopReason reason, const std::optional<Evaluation>& final = {}) const;

  // What changes during a run.
  template <IsA<Stopping> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("fallback", part.fallback_);
    visit("first", part.first_);
    visit("steps_of_epochs", part.steps_of_epochs_);
    visit("epochs_searched", part.epochs_searched_);
    visit("last", part.last_);
    visit("change", part.change_);
    visit("as_good_as_zero", part.as_good_as_zero_);
    visit("quiet_evaluations", part.quiet_evaluations_);
    visit("rises", part.rises_);
    visit("still_evaluations", part.still_evaluations_);
    visit("too_slow", part.too_slow_);
  }

 private:
  std::optional<StopReason> limit_reached(const Evaluation& evaluation);
  // Where there is no objective.
  std::optional<StopReason> judge_mapping(const Evaluation& evaluation);
  bool within_tolerance(const Evaluation& evaluation) const;
  bool as_good_as_zero(const Evaluation& evaluation) const;
  // By its gap, or because 0 is a lower bound. Notes which.
  bool is_minimum(const Evaluation& evaluation);
  StopReason critical() const {
    return context_.convex ? StopReason::converged : StopReason::stationary;
  }
  // Infinite, while there were few.
  double fell_in_half_the_passes(const Evaluation& evaluation) const;
  // Would the fallback, as fast as in the last half of its passes, need more of them than it may?
  bool is_too_slow(const Evaluation& evaluation) const;
  double passes_expected(const Evaluation& evaluation) const;
  std::string converged_detail(const Evaluation& last) const;
  std::string stalled_detail(const Evaluation& last) const;
  // `limit`: "epochs, 60".
  std::string limit_detail(const Evaluation& last, const std::string& limit) const;
  // Steps are fewer by as many as what searches have read would have been.
  void count_searches(const Evaluation& evaluation);

  struct FallbackPoint {
    std::int64_t passes = 0;
    double objective = 0;
    double gap = 0;      // infinite: not known
    double mapping = 0;  // as `fallback_mapping` tells it

    template <IsA<FallbackPoint> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("passes", part.passes);
      visit("objective", part.objective);
      visit("gap", part.gap);
      visit("mapping", part.mapping);
    }
  };
  // The last of at most so many passes, or the first.
  const FallbackPoint& fallback_at(std::int64_t passes) const;

  StoppingRules rules_;
  StoppingContext context_;
  std::vector<FallbackPoint> fallback_;  // its evaluations
  std::optional<Evaluation> first_;
  std::optional<std::int64_t> steps_of_epochs_;  // where these are a limit
  double epochs_searched_ = 0;
  std::optional<Evaluation> last_;
  double change_ = 0;             // relative, per epoch, at the last evaluation
  bool as_good_as_zero_ = false;  // at the last evaluation, of what cannot be negative
  int quiet_evaluations_ = 0;
  int rises_ = 0;              // since the objective last fell by much
  int still_evaluations_ = 0;  // at which neither the objective nor the gap moved
  bool too_slow_ = false;      // the fallback
};

}  // namespace asynprox
