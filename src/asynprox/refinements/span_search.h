// A better model in the span of the last few: for f of outputs u that are linear in x.
//
//   minimise over c in R^p   F(x + D c),    D = x - (each of the p models before)
//
// by one damped Newton step in c. Outputs at x + D c are u + U c, U = u - (the outputs before), so
// that no pass over the data is needed: a few over the n outputs. What comes out is lower than F(x),
// as far as these outputs tell, or nothing. Near the optimum models lie nearly on a line towards it,
// and this goes along it: what Anderson's mixing does with residuals, with the objective instead.
//
// With weights c the rounding of u + U c is (1 + |c|_1) times that of u and |c|_1 times that of the
// outputs before. Where models have been extrapolated from extrapolated outputs until it is a
// thousand times that of an evaluation, what is found is doubtful, and has to be evaluated.
//
// Narkiss and Zibulevsky (2005), Sequential subspace optimization method for large-scale
// unconstrained problems; Anderson (1965), Iterative procedures for nonlinear integral equations.
#pragma once

#include <deque>
#include <optional>
#include <string_view>

#include "asynprox/base/fields.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class SpanSearch {
 public:
  static constexpr std::string_view name = "span-search";
  static constexpr std::string_view formula =
      "the best model in the span of the last few; linear models, with steps judged by evaluations";
  static constexpr std::string_view reference = "Narkiss and Zibulevsky (2005)";

  // Borrows the problem, whose f has outputs.
  explicit SpanSearch(const Problem& problem) : problem_(problem) {}

  struct Found {
    Vector x;
    Objective objective;    // of the extrapolated outputs
    bool doubtful = false;  // rounding may have made it: call settle() before the next search
  };

  // Tries to find a better one. Of a model that is worse than the last nothing is made, and nothing
  // kept.
  std::optional<Found> search(const EvaluatedModel& at);

  // The model found last was evaluated: its outputs are exact from now on. False: it is no better
  // than `before`, at which the search was, and all points are forgotten.
  bool settle(const EvaluatedModel& found, const EvaluatedModel& before);

  // What it keeps from one search to the next.
  template <IsA<SpanSearch> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("best", part.best_);
    visit("points", part.points_);
  }

 private:
  struct Point {
    Vector x, outputs;
    double rounding = 1;  // of the outputs, in units of that of an evaluation

    template <IsA<Point> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("x", part.x);
      visit("outputs", part.outputs);
      visit("rounding", part.rounding);
    }
  };

  struct Quadratic;
  struct Block;

  // Weights of the directions, newest first; none: there is no step.
  std::optional<Vector> newton_step(const EvaluatedModel& at);
  Quadratic quadratic(const EvaluatedModel& at);
  void bend(Block& block);  // fills in what it has of F''
  double slope_of_regularizer(const Vector& x, const Vector& direction) const;
  // Of candidate_, which is better then.
  std::optional<Objective> try_step(const EvaluatedModel& at, const Vector& weights);
  void move(const EvaluatedModel& at, const Vector& weights, double length, Point& to) const;
  // Keeps it as the newest, and gives it the memory of one that is not needed any more.
  void keep(Point& point);

  const Problem& problem_;
  double best_ = 0;           // the lowest objective so far
  std::deque<Point> points_;  // where it fell, newest first

  // Of the search under way.
  Vector scratch_;
  Point candidate_;
};

}  // namespace asynprox
