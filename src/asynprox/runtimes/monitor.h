// What a run needs beside the session: the clock, the limits, a way to be interrupted, somebody to tell,
// and the record of its end. Evaluations themselves are algorithm/run_evaluator.h.
//
// Not safe to call from several threads at once, save where it says so; a runtime that has several
// holds its lock.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>

#include "asynprox/algorithm/run_evaluator.h"
#include "asynprox/algorithm/session.h"
#include "asynprox/problem/problem.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/runtimes/run_clock.h"

namespace asynprox {

struct MonitorOptions {
  EvaluatorOptions evaluation = {};  // seconds_max and virtual_time follow from what stands below

  std::optional<double> seconds_max = {};

  // With a limit of time alone, the number of steps is estimated once 5 % of it has passed.
  bool estimate_horizon = false;

  // Where given, the time of the run is read here: virtual seconds.
  const double* virtual_seconds = nullptr;

  const std::atomic<bool>* interrupt = nullptr;  // ends the run when it becomes true

  // Called one at a time, from any thread: after each evaluation, and now and then.
  std::function<void(const Evaluation&)> on_evaluation = {};
  std::function<void(const Progress&)> on_progress = {};
};

class Monitor final : public SessionHost {
 public:
  // Borrows both, which must outlive it.
  Monitor(const Problem& problem, Recorder& recorder, MonitorOptions options);

  RunEvaluator& evaluator() { return evaluator_; }
  const RunEvaluator& evaluator() const { return evaluator_; }

  // On one thread, after each message: does all the work that is due, stops the server if time is up or
  // somebody wants it, and tells how far the run has come.
  void watch(Session& session, Replies& replies);
  // The same with a session of its own, for tests.
  void watch(Server& server, Replies& replies);

  // Stops the server if time is up or somebody wants it.
  void watch_limits(Server& server, Replies& replies);
  bool interrupted() const override;

  Progress progress(const Server& server) const;
  void tell(const Progress& progress);
  void tell(const Evaluation& evaluation) const override;

  // Called when the run is over: the last model is evaluated, if it was not, and the end recorded.
  void finish(const Server& server);

  double elapsed() const override { return clock_.elapsed(); }
  std::uint64_t nanoseconds() const override { return clock_.nanoseconds(); }
  double stand_still() override;
  void go_on(double search_seconds) override { clock_.go_on(search_seconds); }

  double seconds() const { return clock_.seconds(); }  // of the run so far, without the evaluations
  double seconds_at_end() const { return seconds_at_end_; }  // once finished
  double evaluation_seconds() const { return clock_.evaluation_seconds(); }
  std::optional<double> seconds_to_limit() const;

  // See run_evaluator.h.
  const Trace& trace() const { return evaluator_.trace(); }
  std::int64_t samples_searched() const { return evaluator_.samples_searched(); }
  std::optional<double> stationarity_gap() const { return evaluator_.stationarity_gap(); }
  double columns_apart() const { return evaluator_.columns_apart(); }

 private:
  void estimate_horizon(Server& server);

  const Problem& problem_;
  Recorder& recorder_;
  MonitorOptions options_;
  RunClock clock_;
  RunEvaluator evaluator_;
  double seconds_at_end_ = 0, progress_next_ = 0;
  bool horizon_estimated_ = false;
  mutable std::mutex telling_;
};

}  // namespace asynprox
