// A better model by proximal Newton steps on the coordinates that move: for convex f of outputs
// that are linear in x, one or several per sample, and separable h.
//
//   S = { j : x_j is not 0, or a proximal step moves it }
//   z minimises over S    g'(z - x) + (z - x)'H (z - x) / 2 + h(z)      g = grad f(x)
//   x <- x + t (z - x),   t = 1, or shorter if that gains little
//
// H is about f's Hessian: a sum over some of the samples (sampled_hessian.h), so that it costs no
// more than a few passes over the data. Stochastic steps come near the optimum at little cost; once
// S is small, these find the last digits. Where f leaves a freedom, z is moved by the common shift
// that makes h least (common_shift.h).
//
// Lee, Sun and Saunders (2014), Proximal Newton-type methods for minimizing composite functions;
// Byrd, Chin, Neveitt and Nocedal (2011), On the use of stochastic Hessian information in
// optimization methods for machine learning.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/sampled_hessian.h"

namespace asynprox {

class NewtonSearch {
 public:
  // Borrows the problem. `eta`: of the proximal step that tells which coordinates move. A Hessian
  // is summed in so many shares; `column_curvatures` as SampledHessian takes them.
  NewtonSearch(const Problem& problem, double eta, int shares = 1,
               std::shared_ptr<const Vector> column_curvatures = {});

  static constexpr std::size_t coordinates_max = 512;  // that move in a step

  static bool possible(const Problem& problem);

  enum class Next {
    sum,   // every share of a Hessian, and call again with the same
    look,  // evaluate x, which is another now (the rest is of no model), and call again
    rest,  // no more than `fall` is expected to be gained; the model is the best
    done,  // nothing is to be gained, or no more looks; the model is the best
  };

  struct Limits {
    double fall = 0;       // of the objective: rest, if no more is expected
    bool more = true;      // looks
    bool patient = false;  // it may cost a fraction of a second: others make no progress
  };

  // Forgets the search before.
  void begin();
  // Told of a model: where the search begins, or what it wanted to look at.
  Next next(EvaluatedModel& at, const Limits& limits);
  // Of the Hessian that it wants summed, from 0. Shares may run side by side.
  void sum_share(int share) { hessian_.sum_share(share); }
  bool summing() const { return stage_ == Stage::summing; }
  bool found() const { return found_; }                        // a better one than the first
  double expected() const { return step_ ? step_->fall : 0; }  // to be gained, where it rests

  // Is no more than `fall` left to be gained? What the last step expects tells of that only if the
  // steps before it gained far more: along directions in which f is nearly flat they all gain about
  // the same.
  bool settled(double fall) const;

  // By all searches, beside the evaluation that each begins with.
  std::int64_t samples_read() const { return samples_read_ + hessian_.samples_read(); }

 private:
  // What the caller was asked for.
  enum class Stage { nothing, summing, looking };

  struct Step {
    Vector to;          // x at the keys
    double fall = 0;    // that is expected
    bool exact = true;  // nearly the minimum of the quadratic, or only on the way to it
  };

  bool worth_trying(const EvaluatedModel& at);
  void go_to(EvaluatedModel& at, Vector x);
  void note_best(const EvaluatedModel& at);
  bool is_rounding(double fall) const;
  bool better(const EvaluatedModel& at) const;
  // Of what was looked at. True: the search goes on from the best.
  bool judge(EvaluatedModel& at, bool more);
  void accept(const EvaluatedModel& at);
  bool shorten(EvaluatedModel& at);
  bool try_again(EvaluatedModel& at);
  Next look();
  Next give_up();
  // What moves, and how curved f is there.
  SampledHessian::Prepared prepare_step(const EvaluatedModel& at, bool patient);
  std::optional<Step> step(const EvaluatedModel& at, const Limits& limits);
  std::vector<Key> moving(const EvaluatedModel& at) const;

  const Problem& problem_;
  double eta_;
  std::size_t num_samples_;
  SampledHessian hessian_;
  int failures_ = 0, wait_ = 0;  // so many searches
  std::int64_t samples_read_ = 0;

  // Of the search under way.
  int looks_ = 0;
  bool found_ = false;
  EvaluatedModel base_;  // the best one, while another is looked at
  double lowest_ = 0;    // its objective, but for rounding
  double mapping_ = 0;   // norm of its gradient mapping
  Stage stage_ = Stage::nothing;
  std::vector<Key> keys_;                   // those that move from the best
  std::optional<Step> step_;                // of theirs
  bool shortened_ = false;                  // it was too long
  bool patient_ = false;                    // others make no progress
  double fall_last_ = 0, fall_before_ = 0;  // expected of the last two steps
  bool refined_ = false;                    // H was not good
  bool at_rounding_ = false;                // a step gains no more than that
  int slow_steps_ = 0;                      // one after the other
};

}  // namespace asynprox
