// A better model by accelerated proximal gradient steps with a line search and restarts: what a run
// turns to when stochastic steps make no progress. It never makes the objective worse, but for
// rounding (1e-13 of it).
//
//   y = x_k + beta (x_k - x_{k-1})              beta = (t_k - 1) / t_{k+1}
//   g = grad_k + beta (grad_k - grad_{k-1})     about grad f(y); exactly, where f is quadratic
//   x_{k+1} = prox_{h / L}(y - g / L)           in the metric of descent_metric.h
//
// and, where f leaves a freedom, by the common shift that makes h least (common_shift.h).
// x_{k+1} is taken if <grad f(x_{k+1}) - g, x_{k+1} - y> <= L |x_{k+1} - y|^2 and F does not rise;
// else L grows, or the momentum is dropped: also where a larger L does not help, since far from a
// quadratic the extrapolated gradient is wrong. With the gradient extrapolated instead of evaluated at
// y, a step costs one pass over the data, and every model it looks at is one that a run may keep.
//
// Beck and Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear inverse
// problems; restarts: O'Donoghue and Candes (2015), Adaptive restart for accelerated gradient
// schemes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "asynprox/base/fields.h"
#include "asynprox/problem/descent_metric.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class FistaSearch {
 public:
  static constexpr std::string_view name = "fista";
  static constexpr std::string_view formula =
      "accelerated proximal gradient steps with a line search; --fallback on, where steps lead no "
      "further";
  static constexpr std::string_view reference = "Beck and Teboulle (2009)";

  static constexpr std::int64_t passes_to_begin = 2;  // over the data, for its metric

  // Borrows the problem.
  explicit FistaSearch(const Problem& problem);

  enum class Next {
    look,       // evaluate x, which is another model now, and call again
    rest,       // no more looks; the model is the best one
    exhausted,  // the objective falls no further than rounding lets it; the model is the best one
  };

  // Told of a model: where it was left, another one to go on from, or what it wanted to look at.
  // `more`: it may look at another.
  Next next(EvaluatedModel& at, bool more);

  // The norm of the gradient mapping, in the metric of the descent: 0 exactly at critical points.
  double mapping(const EvaluatedModel& at);

  // About the most that the mapping can be where h is 0 and f's outputs have these derivatives, by
  // the inequality of Cauchy and Schwarz for each coordinate; 0: it is not known.
  double largest_mapping(std::span<const double> scalars) const;

  // Its last step was refused, and a shorter one is to follow.
  bool shortening() const { return failures_ > 0 && failures_ <= failures_max; }

  DescentMetric& metric() { return metric_; }
  double columns_apart() const { return metric_.columns_apart(); }  // see descent_metric.h

  std::int64_t samples_read() const { return samples_read_; }

  // What it keeps from one call to the next; its metric follows from the problem.
  template <IsA<FistaSearch> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("samples_read", part.samples_read_);
    visit("lipschitz", part.lipschitz_);
    visit("lipschitz_taken", part.lipschitz_taken_);
    visit("t", part.t_);
    visit("t_next", part.t_next_);
    visit("lowest", part.lowest_);
    visit("taken", part.taken_);
    visit("failures", part.failures_);
    visit("looking", part.looking_);
    visit("base", part.base_);
    visit("model", part.model_);
    visit("x", part.x_);
    visit("x_before", part.x_before_);
    visit("gradient", part.gradient_);
    visit("gradient_before", part.gradient_before_);
    visit("y", part.y_);
    visit("gradient_y", part.gradient_y_);
    visit("proposal", part.proposal_);
    visit("momentum", part.momentum_);
  }

 private:
  // So many refused steps in a row, each at least twice as short: nothing is to be gained.
  static constexpr int failures_max = 60;

  void restart_at(const EvaluatedModel& at);
  bool accepts(const EvaluatedModel& at);
  void drop_momentum();
  void take(const EvaluatedModel& at);
  Next propose(EvaluatedModel& at);

  const Problem& problem_;
  DescentMetric metric_;
  std::int64_t samples_read_;

  double lipschitz_ = 1;        // L, in the metric
  double lipschitz_taken_ = 1;  // after the last step taken
  double t_ = 1, t_next_ = 1;
  double lowest_ = 0;  // the objective of the best model taken since the last start
  int taken_ = 0;      // steps so far
  int failures_ = 0;   // one after the other
  bool looking_ = false;
  EvaluatedModel base_;  // the last model taken, while another is looked at
  Vector model_;         // the last model taken
  Vector x_, x_before_;  // that and the one before it, shifted
  Vector gradient_, gradient_before_;
  Vector y_, gradient_y_, proposal_;  // of the step that is looked at
  double momentum_ = 0;
};

}  // namespace asynprox
