// What a run needs beside the algorithm: the clock, the evaluations, the limit of time, and a way
// to be interrupted. The clock stands still while the model is evaluated.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

struct MonitorOptions {
  double reference_step = 1;  // at which the gradient mapping is taken
  std::optional<double> seconds_max = {};

  // With a limit of time alone, the number of steps is estimated once 5 % of it has passed.
  bool estimate_horizon = false;

  const std::atomic<bool>* interrupt = nullptr;               // ends the run when it becomes true
  std::function<void(const Evaluation&)> on_evaluation = {};  // called after each
};

class Monitor {
 public:
  // Borrows the problem, which must outlive it.
  Monitor(const Problem& problem, MonitorOptions options);

  // Called after each message: evaluates the model if that is due, and stops the server if time is
  // up or somebody wants it.
  void watch(Server& server, Replies& replies);

  // Called when the run is over: the last model is evaluated, if it was not.
  void finish(const Server& server);

  const Trace& trace() const { return trace_; }
  double seconds() const;  // of the run so far, without the evaluations
  double evaluation_seconds() const { return evaluation_seconds_; }

 private:
  using Clock = std::chrono::steady_clock;

  const Evaluation& evaluate(const Server& server);
  void watch_time(Server& server, Replies& replies);

  const Problem& problem_;
  MonitorOptions options_;
  Clock::time_point start_ = Clock::now();
  double evaluation_seconds_ = 0;
  bool horizon_estimated_ = false;
  Trace trace_;
  Vector gradient_;
};

}  // namespace asynprox
