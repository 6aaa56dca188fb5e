// A better model by proximal Newton steps on the coordinates that move: for convex f of outputs
// that are linear in x, one or several per sample, and h that is a sum over coordinates, or over the
// coefficients that a feature has of several outputs.
//
//   S = { j : x_j is not 0, or a proximal step moves it }
//   z minimises over S    g'(z - x) + (z - x)'H (z - x) / 2 + h(z)      g = grad f(x)
//   x <- x + t (z - x),   t = 1, or shorter if that gains little
//
// There are two ways to z. Where few coordinates are not zero, H is a matrix, about f's Hessian: a sum over
// some of the samples (sampled_hessian.h), so that it costs no more than a few passes over the data. Else z
// is found by several steps on a working set of columns (any_working_set.h): by_columns() chooses. Where f
// leaves a freedom, z is moved by the common shift that makes h least (common_shift.h).
//
// Lee, Sun and Saunders (2014), Proximal Newton-type methods for minimizing composite functions;
// Byrd, Chin, Neveitt and Nocedal (2011), On the use of stochastic Hessian information in
// optimization methods for machine learning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asynprox/base/fields.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/any_working_set.h"
#include "asynprox/refinements/sampled_hessian.h"

namespace asynprox {

class NewtonSearch {
 public:
  static constexpr std::string_view name = "prox-newton";
  static constexpr std::string_view formula =
      "proximal Newton steps on the coordinates that move, by a Hessian of some samples, or on a "
      "working set of columns; --newton on or --method prox-newton";
  static constexpr std::string_view reference = "Lee, Sun and Saunders (2014)";

  // Borrows the problem. `eta`: of the proximal step that tells which coordinates move. A Hessian
  // is summed in so many shares; `column_curvatures` as SampledHessian takes them.
  NewtonSearch(const Problem& problem, double eta, int shares = 1,
               std::shared_ptr<const Vector> column_curvatures = {});

  static constexpr std::size_t coordinates_max = 512;  // that move in a step by a matrix
  // Second derivatives in several outputs that a matrix is made of.
  static constexpr std::size_t curvatures_max = std::size_t{1} << 24;

  // Whether steps on a working set of columns are possible, so that any number may move.
  static bool any_number_may_move(const Problem& problem) {
    return AnyWorkingSet::possible(problem);
  }

  // What is missing for it to be used: "a convex loss; got another". Empty: nothing.
  static std::string obstacle(const Problem& problem);
  static bool possible(const Problem& problem) { return obstacle(problem).empty(); }

  enum class Next {
    sum,   // every share of a Hessian, and call again with the same
    look,  // evaluate x, which is another now (the rest is of no model), and call again
    rest,  // no more than `fall` is expected to be gained; the model is the best
    done,  // nothing is to be gained, or no more looks; the model is the best
  };

  struct Limits {
    double fall = 0;       // of the objective: stop once the expected decrease is below it
    bool more = true;      // looks
    bool patient = false;  // it may cost a fraction of a second: others make no progress
    double gap = 0;        // of the objective: a smaller error is of no use; 0: not known
    // Asked before a step by columns is looked for: is a model good enough? Rest, then.
    std::function<bool(const EvaluatedModel&)> enough = {};
    // Asked now and then while one is looked for: done, then, at the best model so far.
    std::function<bool()> stop = {};
  };

  // Forgets the search before.
  void begin();
  // Told of a model: where the search begins, or what it wanted to look at.
  Next next(EvaluatedModel& at, const Limits& limits);
  // Of the Hessian that it wants summed, from 0. Shares may run side by side.
  void sum_share(int share) { hessian_.sum_share(share); }
  bool summing() const { return stage_ == Stage::summing; }
  bool looking() const { return stage_ == Stage::looking; }    // at a model that is not judged yet
  bool found() const { return found_; }                        // a better one than the first
  double expected() const { return step_ ? step_->fall : 0; }  // to be gained, where it rests

  // Is no more than `fall` left to be gained? What the last step expects tells of that only if the
  // steps before it gained far more: along directions in which f is nearly flat they all gain about
  // the same.
  bool settled(double fall) const;

  // By all searches, beside the evaluation that each begins with.
  std::int64_t samples_read() const {
    return samples_read_ + hessian_.samples_read() +
           (working_set_ ? working_set_->samples_read() : 0);
  }

  // What it keeps from one search to the next.
  template <IsA<NewtonSearch> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("hessian", part.hessian_);
    visit("failures", part.failures_);
    visit("wait", part.wait_);
    visit("samples_read", part.samples_read_);
    visit("looks", part.looks_);
    visit("found", part.found_);
    visit("base", part.base_);
    visit("lowest", part.lowest_);
    visit("mapping", part.mapping_);
    visit("stage", part.stage_);
    visit("keys", part.keys_);
    visit("step", part.step_);
    visit("shortened", part.shortened_);
    visit("patient", part.patient_);
    visit("fall_last", part.fall_last_);
    visit("fall_before", part.fall_before_);
    visit("refined", part.refined_);
    visit("at_rounding", part.at_rounding_);
    visit("slow_steps", part.slow_steps_);
    visit("columns_failed", part.columns_failed_);
    visit("nonzeros_before", part.nonzeros_before_);
    if (part.working_set_) visit("working_set", *part.working_set_);
  }

 private:
  // What the caller was asked for.
  enum class Stage { nothing, summing, looking };

  struct Step {
    Vector to;          // x at the keys
    double fall = 0;    // that is expected
    bool exact = true;  // nearly the minimum of the quadratic, or only on the way to it
    bool by_columns = false;

    template <IsA<Step> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("to", part.to);
      visit("fall", part.fall);
      visit("exact", part.exact);
      visit("by_columns", part.by_columns);
    }
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
  std::optional<Step> step_by_columns(const EvaluatedModel& at, const Limits& limits);
  // Is that the way from here?
  bool by_columns(std::size_t num_nonzeros) const;
  bool steps_still_help(std::size_t num_nonzeros);
  std::vector<Key> moving(const EvaluatedModel& at) const;
  bool has_matrix() const;

  const Problem& problem_;
  double eta_;
  std::size_t num_samples_;
  SampledHessian hessian_;
  std::optional<AnyWorkingSet> working_set_;
  int failures_ = 0, wait_ = 0;      // so many searches
  std::size_t nonzeros_before_ = 0;  // at the search before; 0: there was none
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
  bool columns_failed_ = false;             // a step by columns gained nothing
};

}  // namespace asynprox
