// A model's figures on data that comes block by block: the same bits however it is cut.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/models/area_under_curve.h"
#include "asynprox/models/features.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/models/metrics.h"
#include "asynprox/models/scores.h"
#include "asynprox/models/targets.h"

namespace asynprox {

// What was predicted for each class.
class ClassSums {
 public:
  explicit ClassSums(std::size_t num_classes);
  void add(std::size_t label, std::size_t predicted, double weight);
  double accuracy() const;
  double balanced_accuracy() const;
  std::vector<Vector> rows() const;  // none of more than kConfusionLabelsMax classes

 private:
  std::size_t num_classes_;
  Vector totals_, correct_;  // of each class
  Vector table_;
};

// Residuals, and the variance of the labels, in one pass.
class NumberSums {
 public:
  void add(double prediction, double y, double weight);
  NumberMetrics metrics() const;

 private:
  double total_ = 0, squares_ = 0, magnitudes_ = 0;
  double mean_ = 0, variation_ = 0;  // of y: its mean, and the sum of w (y - mean)^2
  double deviance_ = 0;
  bool any_negative_ = false;
  std::optional<double> first_;
  // Told by comparison: the differences from a rounded mean need not be zero.
  bool constant_ = true;
};

// Memory does not grow with the samples, but for the area under the curve of two classes, which
// needs all scores: 16 bytes per sample, up to twice that as they become more.
class Evaluator {
 public:
  // The model must outlive this. Throws ContractError as check_model does.
  explicit Evaluator(const FittedModel& model);

  // Samples that come after those before. Throws as evaluate() does.
  void add(const Dataset& block) { add(block, block.weights); }

  // The same, by these weights (one per sample, or none: all one) instead of the block's.
  void add(const Dataset& samples, std::span<const double> weights);

  // Of all samples so far. DataError if there were none, ContractError if all have the weight 0.
  // Not const: the scores are sorted where they are.
  Metrics metrics();

 private:
  void add_classes(std::span<const double> u, std::span<const double> y,
                   std::span<const double> weights);
  ClassMetrics class_metrics();

  const FittedModel& model_;
  AnyLoss loss_;
  Targets targets_;
  Scorer scorer_;
  FeatureMatcher features_;
  bool poisson_, pca_;
  std::string name_;
  std::size_t samples_ = 0, positives_ = 0;
  double weight_ = 0, losses_ = 0, lengths_ = 0;
  std::set<Key> ignored_;
  ClassSums classes_;
  NumberSums numbers_;
  std::vector<RankedSample> ranked_;
};

}  // namespace asynprox
