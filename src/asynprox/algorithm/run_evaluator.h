// The evaluations of a run: objective, gradient mapping and, where it is asked for and known, the duality
// gap of the server's model; and the refinements that look for a better model there (refinements/).
//
// An evaluation is a sequence of rounds. In each round, samples are summed in num_shares() shares, side by
// side; then finish_shares() decides whether there is another round, of another model or of a Hessian:
//
//   begin(server); read_model(server);
//   do for each share: evaluate_share(share); while (finish_shares(host));
//   end(...)
//
// What a search found by extrapolation is evaluated itself, in one more round, where its objective may
// end the run or rounding may have made it: a run ends as converged only at a model that was evaluated.
//
// The server takes no step meanwhile. Pure, but for what the caller's EvaluationHost says: what was found
// depends on time only where a limit cuts it short, which a record of the run notes (looks()).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/base/snapshot.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/fista_search.h"
#include "asynprox/refinements/newton_search.h"
#include "asynprox/refinements/span_search.h"

namespace asynprox {

struct EvaluatorOptions {
  double reference_step = 1;            // at which the gradient mapping is taken
  std::optional<double> own_step = {};  // and once more, at this one

  // An evaluation sums over the samples in this many shares. A matter of rounding too: runs that
  // are to be compared to the bit have the same number.
  int shares = 1;

  // Look for a better model at every evaluation: among the last ones (refinements/span_search.h), and
  // before that by Newton's method (refinements/newton_search.h).
  bool search = false;
  bool newton = false;
  // For Newton's method: column_curvatures() of scaling.h, where they are known already.
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
  // that many steps; and no search further than that many seconds of the run.
  double epochs_max = std::numeric_limits<double>::infinity();
  std::int64_t steps_max = std::numeric_limits<std::int64_t>::max();
  std::optional<double> seconds_max = {};

  bool virtual_time = false;  // searches take none of it
};

// What an evaluation asks of the world outside. The core has no clock of its own.
class EvaluationHost {
 public:
  virtual ~EvaluationHost() = default;

  // Seconds on a clock that never stands still.
  virtual double elapsed() const = 0;
  // Somebody wants the run to end.
  virtual bool interrupted() const = 0;
  // This was found; called once per evaluation, from the thread that finishes its last round.
  virtual void tell(const Evaluation& evaluation) const = 0;
};

class RunEvaluator {
 public:
  // Borrows the problem.
  RunEvaluator(const Problem& problem, EvaluatorOptions options);

  // `seconds`: of the run, up to here.
  void begin(const Server& server, double seconds);
  // This and evaluate_share() may run beside calls of the server that take no step.
  void read_model(const Server& server);
  int num_shares() const { return options_.shares; }
  // Shares, from 0, may run side by side.
  void evaluate_share(int share);
  // All shares are done. True: another round, of another model that is worth a look, or of a Hessian.
  bool finish_shares(const EvaluationHost& host);
  // `stopped`: the run was stopped meanwhile, so that nothing takes the model found.
  const Evaluation& end(bool stopped);

  // What the search found at the last evaluation; null: nothing.
  const Vector* better() const { return better_ ? &*better_ : nullptr; }

  // The run is over: evaluates the last model, if it was not, and bounds its error.
  void finish(const Server& server, double seconds, const EvaluationHost& host);

  // For the record of a run: 0, or 1 more than the models that this evaluation had looked at when it
  // was cut short, by a limit of time or somebody who wanted the run to end.
  std::uint8_t looks() const { return static_cast<std::uint8_t>(gave_up_ ? looks_ + 1 : 0); }
  // In the record, the next evaluation was cut short after so many.
  void limit_looks(int looks) { looks_max_ = looks; }

  // That searches have read, beside the server's and the evaluations'.
  std::int64_t samples_searched() const { return samples_searched_; }
  // Of the run, that searches took in this evaluation.
  double search_seconds() const { return search_seconds_; }

  const Trace& trace() const { return trace_; }
  // Of the last model, once finished: see duality_gap.h.
  std::optional<double> stationarity_gap() const { return stationarity_gap_; }
  // Of the fallback, where the run fell back: see descent_metric.h.
  double columns_apart() const { return columns_apart_; }

  // All that changes during a run, between evaluations: one made in the same way goes on from there.
  void save(SnapshotWriter& writer) const;
  void restore(SnapshotReader& reader);

  // The names that a trace in a snapshot may have.
  static std::span<const std::string_view> names();

 private:
  struct Share {
    double value = 0;
    Vector gradient;
  };

  bool summing() const { return newton_ && newton_->summing(); }  // a Hessian
  void begin_search();
  // Seconds since then; before the fallback, but for those of certificates.
  double searched() const;
  bool time_is_up() const;
  double epochs_so_far() const;
  void sum_shares();
  // Puts another model in place of the one evaluated, which is to be evaluated next; false: none.
  bool look_further();
  // A refinement has found x, which is better.
  void refined(Vector x, std::string_view by);
  bool certified();
  bool bounded_here();
  std::optional<double> gap_here();
  // Passes over the data up to the end of the fallback's next step.
  double passes_of_next_step() const { return fista_ ? 1 : 1 + FistaSearch::passes_to_begin; }
  // Is the first step of the fallback not worth its passes?
  bool descent_is_needless();
  // A step of the fallback; false: it rests.
  bool descend();
  bool begin_descent();
  // x0_ with the best intercept. Notes its objective, if there is one.
  void measure_start();
  bool near_zero() const;
  // In the fallback's metric, over that at the start; 0 where it is rounding.
  double relative_mapping();
  void end_descent(FistaSearch::Next next);
  void look_among_the_last();
  // Makes what the span search found the model of the next round.
  void look_at_extrapolated();
  void settle_extrapolated();
  // May the extrapolated objective end the run?
  bool may_end() const;
  void describe();
  void describe_model();
  bool unbounded();
  void bound_error();
  // Is it time to bound the error?
  bool slow_enough() const;
  // Fills in the duality gap of the model last evaluated, by the best bound known so far.
  void certify(Evaluation& evaluation);
  void refine_bound();
  void forget_bound_of_others();
  void keep_bound(std::optional<double> dual, double size);
  std::int64_t count_coefficients(std::span<const double> x) const;
  std::int64_t samples_read() const {
    if (finished_) return samples_searched_;
    return (newton_ ? newton_->samples_read() : 0) + (fista_ ? fista_->samples_read() : 0);
  }
  // Searches are over, and their memory is given back.
  void release();

  template <class Self>
  static void visit_state(Self& self, auto&& visit) {
    visit("of_another", self.of_another_);
    visit("samples_searched", self.samples_searched_);
    visit("trace", self.trace_);
    visit("dual_best", self.dual_best_);
    visit("dual_size", self.dual_size_);
    visit("rounding", self.rounding_);
    visit("probed", self.probed_);
    visit("bounded", self.bounded_);
    visit("has_own_bound", self.has_own_bound_);
    visit("stationarity_gap", self.stationarity_gap_);
    visit("now", self.now_);
    visit("here", self.here_);
    visit("x0", self.x0_);
    visit("mapping_at_start", self.mapping_at_start_);
    visit("mapping_rounding", self.mapping_rounding_);
    visit("objective_at_start", self.objective_at_start_);
    visit("start_measured", self.start_measured_);
    visit("columns_apart", self.columns_apart_);
    visit("passes", self.passes_);
    visit("passes_to_refine", self.passes_to_refine_);
    visit("passes_refined", self.passes_refined_);
    visit("gap_fall", self.gap_fall_);
    visit("better", self.better_);
    if (self.span_) visit("span", *self.span_);
    if (self.newton_) visit("newton", *self.newton_);
    if (self.fista_) visit("fista", *self.fista_);
  }

  const Problem& problem_;
  EvaluatorOptions options_;
  const EvaluationHost* host_ = nullptr;  // during finish_shares()
  bool of_another_ = false;               // the last evaluation tells of a model that nobody took
  std::int64_t samples_searched_ = 0;
  Trace trace_;
  std::optional<double> dual_best_, stationarity_gap_;
  double dual_size_ = 0;  // the objective of the model that dual_best_ is by
  double rounding_ = 0;   // of objectives, where it is known to be large
  double probed_ = 0;     // the objective where it was asked last whether there is a limit to it

  // Of the evaluation under way.
  Evaluation now_;
  EvaluatedModel here_;
  // What the span search found: the objective told of is by its extrapolated outputs, which rounding
  // may have made; or it is being evaluated, and was found at before_.
  bool extrapolated_ = false, doubtful_ = false, settling_ = false;
  EvaluatedModel before_;
  std::vector<Share> shares_;
  std::optional<SpanSearch> span_;
  std::optional<NewtonSearch> newton_;
  std::optional<FistaSearch> fista_;
  Vector x0_;  // where the run began, if that may be asked for
  // There, or at zero where the loss is less, with the best intercept: the gradient mapping in the
  // fallback's metric, and the loss; 0: it is not known.
  double mapping_at_start_ = 0, objective_at_start_ = 0;
  double mapping_rounding_ = 0;  // a mapping of at most that is as good as 0
  bool start_measured_ = false;
  double columns_apart_ = 1;
  std::int64_t passes_ = 0;              // of the fallback, in all
  std::int64_t passes_to_refine_ = 500;  // the bound, though the objective does not rest
  double passes_refined_ = 0;
  int passes_here_ = 0, passes_max_ = 0;  // of them, in this evaluation
  bool descending_ = false;               // the fallback has taken over from Newton's method
  bool finished_ = false;                 // the run is over
  bool silent_ = false;                   // nobody is told any more
  std::optional<double> search_start_;
  double search_seconds_ = 0, certify_seconds_ = 0;
  int looks_ = 0, looks_max_ = std::numeric_limits<int>::max();
  double share_to_gain_ = 0;    // of the objective: less is not worth a pass
  double gap_fall_ = 0;         // what the gap has to become, over what it was when last looked at
  bool bounded_ = false;        // the model evaluated last is in dual_best_
  bool has_own_bound_ = false;  // that model gave a bound
  bool gave_up_ = false;
  std::optional<Vector> better_;
};

}  // namespace asynprox
