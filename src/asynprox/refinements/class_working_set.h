// Proximal Newton on a growing working set for models of several classes: convex f whose second
// derivatives are w_i (diag(p_i) - p_i p_i') in its outputs, which are linear in x, and an h that is a
// sum over coordinates or over the rows of C coefficients that features have.
//
//   W: the units of h (coordinates or rows) that are not 0, and of those that a proximal step moves
//      the worst violators, at most as many as make W five times as large, or a hundred per class
//   repeat: z minimises the quadratic model of f plus h on W (class_descent.h); line search
//
// As working_set.h does for one output: rough steps first, more and nearly exact ones once hardly any
// violator is outside of W and quadratic models tell what is gained, which for probabilities near 0
// and 1 takes a while: until then exact minima of them are of no use. Intercepts are in W always, as coordinates whose column is all ones. The
// columns of features are gathered from the rows when they enter W, in single precision, once for all
// classes; outputs, scalars and gradients stay in double precision.
//
// Yuan, Ho and Lin (2012), An improved GLMNET for L1-regularized logistic regression; Simon, Friedman
// and Hastie (2013), A blockwise descent algorithm for group-penalized multiresponse and multinomial
// regression; Massias, Gramfort and Salmon (2018), Celer: a fast solver for the lasso with dual
// extrapolation.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "asynprox/base/snapshot.h"
#include "asynprox/linalg/sparse_columns.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/class_descent.h"
#include "asynprox/refinements/split_regularizer.h"
#include "asynprox/refinements/working_set.h"

namespace asynprox {

class ClassWorkingSet {
 public:
  // Borrows the problem. `eta`: of the proximal step that tells which coordinates move.
  ClassWorkingSet(const Problem& problem, double eta);

  static bool possible(const Problem& problem);

  // From a model whose outputs, scalars and gradient are known. Empty: nothing is gained.
  std::optional<WorkingSet::Step> step(const EvaluatedModel& at, const WorkingSet::Wanted& wanted);

  // The effort so far in samples: an entry of a column counts, for each class, as one of a row.
  std::int64_t samples_read() const;
  std::int64_t entries_read() const { return entries_read_; }

  // What it keeps from one step to the next. Columns are gathered anew.
  void save(SnapshotWriter& writer) const;
  void restore(SnapshotReader& reader);

 private:
  struct Violator {
    double violation;
    Key key;  // of the unit's first coordinate
  };
  struct Violations {
    double largest = 0;
    std::size_t support = 0, outside = 0;  // units; violators that are not in W
    std::vector<Violator> at_zero;         // of those that are 0
  };
  // Where the steps on W are. Outputs and scalars as models have them, sample by sample.
  struct Point {
    Vector x, gradient;  // at keys_
    Vector outputs, scalars;
    double loss = 0, regularizer = 0;
    double total() const { return loss + regularizer; }
  };

  std::size_t feature_of(Key key) const { return key / num_classes_; }
  bool is_free(Key key) const { return key >= seen_; }
  Violations find_violations(const EvaluatedModel& at) const;
  static void put_first(std::vector<Violator>& violators, std::size_t count);
  // W. The worst violators come first then.
  void choose(const EvaluatedModel& at, Violations& violations);
  void set_keys(std::vector<Key> keys);
  // Of these features, which rise. A pass over the rows.
  void fetch(std::span<const Key> features);
  // The columns of W, and where any is missing, those of the next worst violators too.
  void gather(const Violations& violations);
  ColumnSpan column_of(Key key) const;
  void find_columns();

  Point begin(const EvaluatedModel& at) const;
  ClassWeights weights_at(const Point& point) const;
  double violation(const Point& point) const;
  // Returns what the objective fell by; 0: no step was found.
  double newton_step(Point& point, const ClassDescent::Effort& effort, bool last);
  Vector reaches() const;
  ClassDescent::Effort effort_of(bool exact, const std::function<bool()>& stop) const;
  // By the share of the expected fall that a step got, whose farthest move of an output this was.
  void adapt_reach(double share, double farthest);
  bool search_line(Point& point, const Vector& to, double expected, bool last);
  Vector direction(const Point& point, const Vector& to) const;
  void update_gradient(Point& point, const Vector& scalars) const;

  const Problem& problem_;
  SplitRegularizer h_;
  double eta_;
  std::size_t num_samples_, num_classes_, seen_;
  double entries_;  // of the data, for each class

  std::vector<Key> keys_;                // W, rising
  std::vector<std::uint32_t> classes_;   // of these
  std::vector<std::uint32_t> by_class_;  // their numbers, class by class
  std::vector<ColumnSpan> columns_;
  std::vector<bool> in_set_;  // of all coordinates
  std::vector<SparseColumns> store_;
  SparseColumns ones_;                                      // the intercepts' column
  std::vector<std::uint32_t> lengths_;                      // of all columns; empty: not known yet
  std::vector<ColumnSpan> gathered_;                        // of all features; null: not gathered
  std::vector<float> largest_;                              // entry of each of those, in size
  double reach_ = std::numeric_limits<double>::infinity();  // of an output, by one coordinate
  bool first_ = true;
  bool trusted_ = false;  // the last quadratic told about what its step gained
  std::int64_t entries_read_ = 0, samples_read_ = 0;
};

}  // namespace asynprox
