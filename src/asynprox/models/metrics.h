// How well a model does on data.
//
// Every mean is over the samples by their weights (data.weights; empty: all one). What is undefined
// for the data at hand is empty.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/models/features.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// How often samples of one label were given another.
struct ConfusionTable {
  std::vector<std::string> labels = {};  // as they are spelt; of one against the rest "not X", "X"
  // Of each label a row: for each label, how many of its samples were predicted to have that one,
  // by their weights.
  std::vector<Vector> rows = {};
};

// More classes than this have no confusion table.
inline constexpr std::size_t kConfusionLabelsMax = 1000;

// Of losses that take signs or classes.
struct ClassMetrics {
  double accuracy = 0;           // how often the predicted label is the label
  double balanced_accuracy = 0;  // the mean of that over the labels that occur, each counting once
  // Mean -log of the probability of the label; of the losses that know it (see probabilities()).
  std::optional<double> log_loss = {};
  // Of two classes; see area_under_curve.h.
  std::optional<double> auc = {};
  ConfusionTable confusion = {};
};

struct SignCounts {
  std::size_t positives = 0;
  std::size_t negatives = 0;
};

// Of losses that take numbers; r_i = p_i - y_i, where p_i is the predicted label: u_i, or e^u_i for
// poisson.
struct NumberMetrics {
  double rmse = 0;  // sqrt(mean r^2)
  double mae = 0;   // mean |r|
  // 1 - mean r^2 / mean (y - mean y)^2; empty where y is constant.
  std::optional<double> r2 = {};
  bool counts = false;  // the loss is poisson
  // Of counts: mean 2 (y log(y / p) - (y - p)); empty where a label is negative.
  std::optional<double> poisson_deviance = {};
};

struct Metrics {
  std::size_t samples = 0;
  std::size_t outputs = 1;
  std::size_t columns_ignored = 0;  // how many without a name, see Scores
  ColumnNotes columns = {};
  double loss = 0;  // mean phi(u_i, y_i)
  std::optional<ClassMetrics> classes = {};
  std::optional<SignCounts> signs = {};
  std::optional<NumberMetrics> numbers = {};
  // Of the loss pca: 2 (-loss) / mean |a|^2, the share of the variance about zero that lies along
  // x if |x| = 1. Empty where all rows are zero.
  std::optional<double> explained_variance = {};
};

// Throws DataError, naming the data and the sample, for no samples, a label that the model does not
// know (see targets.h), a score that is not finite, and features of the model that the data does
// not have (see features.h).
Metrics evaluate(const FittedModel& model, const Dataset& data);

// The figures that apply, by name, for people and programs; empty ones are undefined here.
using Figures = std::vector<std::pair<std::string, std::optional<double>>>;
Figures figures(const Metrics& metrics);

}  // namespace asynprox
