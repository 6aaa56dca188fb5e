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
#include "asynprox/runtimes/checkpoint_schedule.h"
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

  CheckpointHooks checkpoints = {};
  // Of a run that goes on from a state: its limits up to there, where they were others.
  std::optional<StoppingRules> stop_before = {};
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
  // The same, but false at a moment at which a checkpoint is due, after some of the work.
  bool watch_up_to_checkpoint(Session& session, Replies& replies);
  // The same with a session of its own, for tests.
  void watch(Server& server, Replies& replies);

  // Stops the server if time is up or somebody wants it.
  void watch_limits(Server& server, Replies& replies);
  // For evaluations: a run that leaves checkpoints gives them a moment to end by themselves.
  bool interrupted() const override;
  // Somebody wants the run to end.
  bool wanted_to_end() const;

  // Checkpoints. A runtime makes one where that is due and nothing is in flight: it collects its state in
  // take_state(), hands it to save_state(), and calls end_if_wanted(). While checkpoints are wanted, nobody
  // else ends an interrupted run.
  const CheckpointSchedule& checkpoints() const { return checkpoints_; }
  bool checkpoint_due(const Server& server) const {
    return checkpoint_due_by_work(server) || checkpoint_due_by_time(server);
  }
  // By steps, or since somebody wants the run to end; this asks for no time.
  bool checkpoint_due_by_work(const Server& server) const;
  bool checkpoint_due_by_time(const Server& server) const;
  // Empty where the state cannot be saved; then there are no checkpoints any more.
  template <class Workers, class Messages>
  std::optional<RunState> take_state(const Session& session, const Workers& workers,
                                     const Messages& messages);
  // After take_state(), and maybe beside what comes after it: what was recorded is handed on first.
  void save_state(const RunState& state);
  void end_if_wanted(Server& server, Replies& replies) const;
  // The run goes on from a state; its messages are for the runtime.
  template <class Workers, class Messages>
  void restore_state(const RunState& state, Session& session, Workers& workers, Messages& messages);

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
  // The same, or to the next checkpoint, if that is sooner.
  std::optional<double> seconds_to_next() const;

  // See run_evaluator.h.
  const Trace& trace() const { return evaluator_.trace(); }
  std::int64_t samples_searched() const { return evaluator_.samples_searched(); }
  std::optional<double> stationarity_gap() const { return evaluator_.stationarity_gap(); }
  double columns_apart() const { return evaluator_.columns_apart(); }

 private:
  // An evaluation that a checkpoint waits for may take so long, before it is cut short.
  static constexpr double seconds_to_end = 2, not_interrupted = 1e300;

  bool do_work(Session& session, Replies& replies, bool up_to_checkpoint);
  void estimate_horizon(Server& server);
  std::int64_t work_done(const Server& server) const;
  void save_clock(SnapshotWriter& writer) const;
  void resume(const RunState& state, Server& server);
  void give_up_checkpoints(const std::string& reason);

  const Problem& problem_;
  Recorder& recorder_;
  MonitorOptions options_;
  RunClock clock_;
  RunEvaluator evaluator_;
  double seconds_at_end_ = 0, progress_next_ = 0;
  bool horizon_estimated_ = false;
  CheckpointSchedule checkpoints_;
  mutable std::atomic<double> interrupted_at_ = not_interrupted;  // when somebody saw it, elapsed
  mutable std::mutex telling_;
};

template <class Workers, class Messages>
std::optional<RunState> Monitor::take_state(const Session& session, const Workers& workers,
                                            const Messages& messages) {
  const Server& server = session.server();
  checkpoints_.made(work_done(server), elapsed());
  recorder_.end_block();
  try {
    SnapshotWriter of_workers, of_messages, of_clock;
    for (const auto& worker : workers) of_workers.put(worker);
    of_messages.put(messages);
    save_clock(of_clock);
    return RunState{.steps = server.version(),
                    .events = recorder_.count(),
                    .session = snapshot(session),
                    .workers = of_workers.take(),
                    .messages = of_messages.take(),
                    .clock = of_clock.take()};
  } catch (const ContractError& error) {
    give_up_checkpoints(error.what());
    return std::nullopt;
  }
}

template <class Workers, class Messages>
void Monitor::restore_state(const RunState& state, Session& session, Workers& workers,
                            Messages& messages) {
  restore(session, state.session, RunEvaluator::names());
  SnapshotReader of_workers(state.workers);
  for (auto& worker : workers) of_workers.get(worker);
  of_workers.expect_end();
  restore(messages, state.messages);
  resume(state, session.server());
}

}  // namespace asynprox
