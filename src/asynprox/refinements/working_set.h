// Proximal Newton on a growing working set, for any number of nonzeros: convex f of one output that
// is linear in x, and separable h.
//
//   W: the coordinates that are not 0, and of those that a proximal step moves the worst violators,
//      at most as many as make W five times as large, or a hundred
//   repeat: z minimises the quadratic model of f plus h on W (column_descent.h); line search
//
// until the violations in W are a share of those everywhere; the caller evaluates the model then. Few
// coordinates matter at the optimum, and until these are known a rough minimum will do: more steps
// and nearly exact ones are taken once hardly any violator is outside of W.
//
// Where these steps hardly advance, as on models that nearly interpolate their data, proximal points on W
// take over (proximal_point.h), until they gain less than sweeps did. What they cost in vain is about as
// much as all else, at most.
//
// Columns are gathered from the rows when they enter W, in single precision: they only make
// corrections to outputs and slopes that evaluations know in double precision, so what is lost is
// speed, not digits. With an intercept the weighted means of the columns are taken from them, which
// eliminates it; a data set that is centred implicitly stays sparse.
//
// Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear models via
// coordinate descent; Yuan, Ho and Lin (2012), An improved GLMNET for L1-regularized logistic
// regression; Johnson and Guestrin (2015), Blitz: a principled meta-algorithm for scaling sparse
// optimization; Massias, Gramfort and Salmon (2018), Celer: a fast solver for the lasso with dual
// extrapolation; Bertrand et al. (2022), Beyond L1: faster and better sparse models with skglm.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/base/snapshot.h"
#include "asynprox/linalg/sparse_columns.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/column_descent.h"

namespace asynprox {

class WorkingSet {
 public:
  // Borrows the problem. `eta`: of the proximal step that tells which coordinates move.
  WorkingSet(const Problem& problem, double eta);

  static bool possible(const Problem& problem);

  struct Wanted {
    double gap = 0;                   // of the objective: a smaller error is of no use; 0: any
    std::function<bool()> stop = {};  // asked now and then: no step, then
  };

  struct Step {
    std::vector<Key> keys;  // rise; with the intercept
    Vector to;              // x at these
    double fall = 0;        // of the objective, but for the rounding of columns
  };

  // From a model whose outputs, scalars and gradient are known. Empty: nothing is gained.
  std::optional<Step> step(const EvaluatedModel& at, const Wanted& wanted);

  // The way is now by proximal points.
  bool by_points() const { return by_points_; }

  // The effort so far in samples: an entry of a column counts as one of a row.
  std::int64_t samples_read() const;
  // Of columns, by sweeps and products.
  std::int64_t entries_read() const { return entries_read_; }

  // What it keeps from one step to the next. Columns are gathered anew.
  void save(SnapshotWriter& writer) const;
  void restore(SnapshotReader& reader);

 private:
  struct Violator {
    double violation;
    Key key;
  };
  struct Violations {
    double largest = 0;
    std::size_t support = 0, outside = 0;  // coordinates; violators that are not in W
    std::vector<Violator> at_zero;         // of those that are 0
  };
  // Where the steps on W are.
  struct Point {
    Vector x;      // at keys_
    double b = 0;  // the intercept
    Vector outputs, scalars;
    Vector gradient;   // of f at keys_
    double slope = 0;  // the intercept's
    double loss = 0, regularizer = 0;
    double total() const { return loss + regularizer; }
  };

  Violations find_violations(const EvaluatedModel& at) const;
  static void put_first(std::vector<Violator>& violators, std::size_t count);
  // W. The worst violators come first then.
  void choose(const EvaluatedModel& at, Violations& violations);
  bool is_gathered(Key key) const { return gathered_[key].rows != nullptr; }
  // Of these, which rise. A pass over the rows.
  void fetch(std::span<const Key> keys);
  // The columns of W, and where any is missing, those of the next worst violators too.
  void gather(const Violations& violations);
  Point begin(const EvaluatedModel& at) const;
  Vector curvatures(const Point& point) const;
  double violation(const Point& point) const;
  // Returns what the objective fell by; 0: no step was found.
  double newton_step(Point& point, const ColumnDescent::Effort& effort);
  bool sweep_steps(Point& point, bool settled, double enough, const Wanted& wanted, double& fall);
  bool points_are_worth() const;
  // To violations of at most `enough`, by proximal points (proximal_point.h).
  double proximal_points(Point& point, double enough, const Wanted& wanted);
  Vector reaches() const;
  // By the share of the expected fall that a step got, whose farthest move of an output this was.
  void adapt_reach(double share, double farthest);
  bool search_line(Point& point, const Vector& to, double b, double expected);
  Vector direction(const Point& point, const Vector& to, double b) const;
  void update_gradient(Point& point, const Vector& scalars) const;
  double offset(std::size_t k) const { return offsets_.empty() ? 0 : offsets_[keys_[k]]; }

  const Problem& problem_;
  double eta_;
  std::size_t num_samples_;
  bool intercept_;
  std::span<const double> offsets_;  // of the data's columns
  double entries_;                   // of the data

  std::vector<Key> keys_;            // W, rising
  std::vector<ColumnSpan> columns_;  // of these
  std::vector<bool> in_set_;         // of all coordinates
  std::vector<SparseColumns> store_;
  std::vector<std::uint32_t> lengths_;  // of all columns; empty: not known yet
  std::vector<ColumnSpan> gathered_;    // of all coordinates; null: not gathered
  std::vector<float> largest_;          // entry of each of those, in size
  double reach_ = std::numeric_limits<double>::infinity();  // of an output, by one coordinate
  bool first_ = true;
  bool by_points_ = false;  // sweeps did not come as far as they should
  double distance_ = 0;     // of proximal points, to begin with; 0: not known yet
  std::int64_t entries_read_ = 0, samples_read_ = 0;
  std::int64_t in_vain_ = 0;  // of the entries: by proximal points that gained too little
  double sweeps_rate_ = 0;    // of the last sweeps: what the objective fell by per entry
  bool worse_ = false;  // than that were the last proximal points, and did not come as far as asked
};

}  // namespace asynprox
