// One run, as the paper looks at it: suboptimality against samples and against time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/run/options.h"

#include "reproduce/problem.h"

namespace asynprox::reproduce {

// The suboptimality at which the paper compares.
inline constexpr double kTarget = 1e-3;
// The samples of a step in the paper.
inline constexpr std::int64_t kBatch = 8192;

// Thrown where the user wants an end; what was found before is kept.
struct Interrupted {};

// Who may end the work, and who is told how far it is.
struct Watch {
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const std::string&)> say = {};

  void check() const {
    if (interrupt && interrupt->load()) throw Interrupted{};
  }
  void tell(const std::string& text) const {
    check();
    if (say) say(text);
  }
};

struct CurvePoint {
  double steps = 0;
  double sample_gradients = 0;  // applied
  double epochs = 0;
  double seconds = 0;  // virtual, where the run was simulated
  double suboptimality = 0;
};

struct Curve {
  std::vector<CurvePoint> points;
  double staleness_mean = 0;
  std::int64_t staleness_max = 0;
};

// Runs until the suboptimality is at most `down_to`, or the steps of the options are over. Looks at
// every `trace_every` of them, by default every one.
Curve measure(const PaperProblem& problem, Options options, double down_to, const Watch& watch);

// The first point at or below `target`. Empty where there is none.
std::optional<CurvePoint> first_passage(const Curve& curve, double target = kTarget);

// Between that point and the one before, where the straight line in log(suboptimality) meets the
// target. For few and whole steps it says more than the first passage.
std::optional<CurvePoint> interpolated_passage(const Curve& curve, double target = kTarget);

}  // namespace asynprox::reproduce
