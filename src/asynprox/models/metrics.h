// How well a model does on data.
//
// Every mean is over the samples by their weights (data.weights; empty: all one). What is undefined
// for the data at hand is empty.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// Of losses that take signs.
struct SignMetrics {
  double accuracy = 0;  // how often the predicted label is the label
  // How probable it is that a positive sample scores above a negative one; an equal score counts
  // half. Empty where one of the two is missing.
  std::optional<double> auc = {};
  std::size_t positives = 0;
  std::size_t negatives = 0;
};

// Of losses that take numbers; r_i = u_i - y_i.
struct NumberMetrics {
  double rmse = 0;  // sqrt(mean r^2)
  double mae = 0;   // mean |r|
  // 1 - mean r^2 / mean (y - mean y)^2; empty where y is constant.
  std::optional<double> r2 = {};
};

struct Metrics {
  std::size_t samples = 0;
  std::size_t columns_ignored = 0;  // as in Scores
  double loss = 0;                  // mean phi(u_i, y_i)
  std::optional<SignMetrics> signs = {};
  std::optional<NumberMetrics> numbers = {};
  // Of the loss pca: 2 (-loss) / mean |s z|^2, the share of the variance about zero that lies along
  // x if |x| = 1. Empty where all rows are zero.
  std::optional<double> explained_variance = {};
};

// Throws DataError, naming the data and the sample, for no samples, a label that is neither of the
// model's two (unless it is one against the rest), and a score that is not finite.
Metrics evaluate(const FittedModel& model, const Dataset& data);

// The figures that apply, by name, for people and programs; empty ones are undefined here.
using Figures = std::vector<std::pair<std::string, std::optional<double>>>;
Figures figures(const Metrics& metrics);

// The area under the curve of scores u and signs, with sample weights (empty: all one); see
// SignMetrics. Costs a sort.
std::optional<double> area_under_curve(std::span<const double> u, std::span<const double> signs,
                                       std::span<const double> weights = {});

}  // namespace asynprox
