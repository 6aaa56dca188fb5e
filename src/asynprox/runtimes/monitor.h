// What a run needs beside the algorithm: the clock, the evaluations, the limit of time, a way to be
// interrupted, and somebody to tell. The clock stands still while the model is evaluated, but not
// while a better one is looked for.
//
// Not safe to call from several threads at once, save where it says so; a runtime that has several
// holds its lock.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/fista_search.h"
#include "asynprox/refinements/newton_search.h"
#include "asynprox/refinements/span_search.h"
#include "asynprox/runtimes/recorder.h"

namespace asynprox {

struct MonitorOptions {
  double reference_step = 1;            // at which the gradient mapping is taken
  std::optional<double> own_step = {};  // and once more, at this one
  std::optional<double> seconds_max = {};

  // With a limit of time alone, the number of steps is estimated once 5 % of it has passed.
  bool estimate_horizon = false;

  // An evaluation sums over the samples in this many shares. A matter of rounding too: runs that
  // are to be compared to the bit have the same number.
  int evaluation_shares = 1;

  // Look for a better model at every evaluation: among the last ones (refinements/span_search.h), and
  // before that by Newton's method (refinements/newton_search.h).
  bool search = false;
  bool newton = false;
  // For Newton's method: f's curvature_diagonal(), where that is known already.
  std::shared_ptr<const Vector> column_curvatures = {};

  // The run may fall back (server.h): then evaluations go on from the last one by Newton's method,
  // where that is on, and by accelerated proximal gradient steps (refinements/fista_search.h).
  bool falls_back = false;

  // Bound the error at every evaluation, not only at the end: up to three more passes over the
  // data.
  bool certify = false;

  // ... but only where the objective changed by at most this much since the last one, relative; 0:
  // always. Evaluations that are frequent should be cheap.
  double certify_below = 0;

  // What converged runs come to: Newton's method goes on that far at least.
  double tolerance = 0;

  // Nor further than that many epochs, with what it reads itself; the fallback, no further than
  // that many steps.
  double epochs_max = std::numeric_limits<double>::infinity();
  std::int64_t steps_max = std::numeric_limits<std::int64_t>::max();

  // Where given, the time of the run is read here: virtual seconds.
  const double* virtual_seconds = nullptr;

  const std::atomic<bool>* interrupt = nullptr;  // ends the run when it becomes true

  // Called one at a time, from any thread: after each evaluation, and now and then.
  std::function<void(const Evaluation&)> on_evaluation = {};
  std::function<void(const Progress&)> on_progress = {};
};

class Monitor {
 public:
  // Borrows both, which must outlive it.
  Monitor(const Problem& problem, Recorder& recorder, MonitorOptions options);

  // Called after each message on one thread: evaluates the model if that is due, stops the server
  // if time is up or somebody wants it, and tells how far it has come.
  void watch(Server& server, Replies& replies);

  // The same in parts. Stops the server if time is up or somebody wants it.
  void watch_limits(Server& server, Replies& replies);
  bool interrupted() const;
  Progress progress(const Server& server) const;
  void tell(const Progress& progress);

  // An evaluation in five parts. The second to fourth may run beside other calls: the server takes
  // no step meanwhile. Shares, from 0, may run side by side; all of them, and what finishes them,
  // once more as long as that says true: there is another model worth a look, or a Hessian to sum.
  void begin_evaluation(const Server& server);
  void read_model(const Server& server);
  int num_shares() const { return options_.evaluation_shares; }
  void evaluate_share(int share);
  bool finish_shares();
  const Evaluation& end_evaluation(const Server& server);

  // All five.
  const Evaluation& evaluate(const Server& server);

  // Called when the run is over: the last model is evaluated, if it was not.
  void finish(const Server& server);

  // What the search found at the last evaluation; null: nothing.
  const Vector* better() const { return better_ ? &*better_ : nullptr; }

  // In the record of a run, its next evaluation was cut short after so many models: by a limit of
  // time, or somebody who wanted the run to end.
  void limit_looks(int looks) { looks_max_ = looks; }

  // That searches have read, beside the server's and the evaluations'.
  std::int64_t samples_searched() const { return samples_searched_; }

  const Trace& trace() const { return trace_; }
  double seconds() const;  // of the run so far, without the evaluations
  double seconds_at_end() const { return seconds_at_end_; }  // once finished
  // Of the last model, once finished: see duality_gap.h.
  std::optional<double> stationarity_gap() const { return stationarity_gap_; }
  // Of the fallback, where the run fell back: see descent_metric.h.
  double columns_apart() const { return columns_apart_; }
  double evaluation_seconds() const { return evaluation_seconds_; }
  std::optional<double> seconds_to_limit() const;

  // Since the run began, evaluations and all. May be called beside anything.
  std::uint64_t nanoseconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Share {
    double value = 0;
    Vector gradient;
  };

  bool summing() const { return newton_ && newton_->summing(); }  // a Hessian
  bool time_is_up() const;
  double epochs_so_far() const;
  void sum_shares();
  // Puts another model in place of the one evaluated, which is to be evaluated next; false: none.
  bool look_further();
  bool certified();
  std::optional<double> gap_here();
  // A step of the fallback; false: it rests.
  bool descend();
  bool begin_descent();
  // x0_ with the best intercept. Notes its objective, if there is one.
  void measure_start();
  bool near_zero() const;
  void end_descent(FistaSearch::Next next);
  void look_among_the_last();
  void describe();
  // Is it time to bound the error?
  bool slow_enough() const;
  // Fills in the duality gap of the model last evaluated, by the best bound known so far.
  void certify(Evaluation& evaluation);
  void refine_bound();
  void keep_bound(std::optional<double> dual, double size);
  std::int64_t count_coefficients(std::span<const double> x) const;
  std::int64_t samples_read() const {
    if (finished_) return samples_searched_;
    return (newton_ ? newton_->samples_read() : 0) + (fista_ ? fista_->samples_read() : 0);
  }
  void record_hashes(EventKind kind, const Server& server, std::uint8_t outcome = 0);

  const Problem& problem_;
  Recorder& recorder_;
  MonitorOptions options_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> evaluation_start_;
  double evaluation_seconds_ = 0, seconds_at_end_ = 0;
  bool of_another_ = false;  // the last evaluation tells of a model that nobody took
  std::int64_t samples_searched_ = 0;
  bool horizon_estimated_ = false;
  Clock::time_point progress_next_ = start_;
  Trace trace_;
  std::optional<double> dual_best_, stationarity_gap_;
  double dual_size_ = 0;  // the objective of the model that dual_best_ is by
  double rounding_ = 0;   // of objectives, where it is known to be large
  std::mutex telling_;

  // Of the evaluation under way.
  Evaluation now_;
  EvaluatedModel here_;
  std::vector<Share> shares_;
  std::optional<SpanSearch> span_;
  std::optional<NewtonSearch> newton_;
  std::optional<FistaSearch> fista_;
  Vector x0_;  // where the run began, if that may be asked for
  // There, or at zero where the loss is less, with the best intercept: the gradient mapping in the
  // fallback's metric, and the loss; 0: it is not known.
  double mapping_at_start_ = 0, objective_at_start_ = 0;
  bool start_measured_ = false;
  double columns_apart_ = 1;
  std::int64_t passes_ = 0;              // of the fallback, in all
  std::int64_t passes_to_refine_ = 500;  // the bound, though the objective does not rest
  double passes_refined_ = 0;
  int passes_here_ = 0, passes_max_ = 0;  // of them, in this evaluation
  bool descending_ = false;               // the fallback has taken over from Newton's method
  bool finished_ = false;                 // the run is over
  std::optional<Clock::time_point> search_start_;
  double search_seconds_ = 0, certify_seconds_ = 0;
  int looks_ = 0, looks_max_ = std::numeric_limits<int>::max();
  double share_to_gain_ = 0;  // of the objective: less is not worth a pass
  double gap_fall_ = 0;       // what the gap has to become, over what it was when last looked at
  bool bounded_ = false;      // the model evaluated last is in dual_best_
  bool gave_up_ = false;
  std::optional<Vector> better_;
};

}  // namespace asynprox
