// A better model in the span of the last few: for f of outputs u that are linear in x.
//
//   minimise over c in R^p   F(x + D c),    D = x - (each of the p models before)
//
// by one damped Newton step in c. Outputs at x + D c are u + U c, U = u - (the outputs before), so
// that no pass over the data is needed: a few over the n outputs. What comes out is lower than F(x)
// or nothing. Near the optimum models lie nearly on a line towards it, and this goes along it: what
// Anderson's mixing does with residuals, with the objective instead.
#pragma once

#include <deque>
#include <optional>

#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class SpanSearch {
 public:
  // Borrows the problem, whose f has outputs.
  explicit SpanSearch(const Problem& problem) : problem_(problem) {}

  struct Found {
    Vector x;
    Objective objective;
  };

  // The model x, with outputs u and this objective, was evaluated: tries to find a better one. Of a
  // model that is worse than the last nothing is made, and nothing kept.
  std::optional<Found> search(const Vector& x, const Vector& u, double objective);

 private:
  struct Point {
    Vector x, u;
  };
  struct Step;  // the Newton step, as weights of the directions

  Step newton_step(const Point& at) const;
  std::optional<Found> try_step(Point& at, const Step& step, double objective) const;
  Point moved(const Point& at, const Step& step, double length) const;
  double slope_of_regularizer(const Vector& x, const Vector& direction) const;

  const Problem& problem_;
  double best_ = 0;           // the lowest objective so far
  std::deque<Point> points_;  // where it fell, newest first
};

}  // namespace asynprox
