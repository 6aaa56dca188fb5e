#include "asynprox/models/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/losses/all.h"

namespace asynprox {
namespace {

// Means over the samples by their weights.
class Mean {
 public:
  Mean(std::span<const double> weights, std::size_t num_samples)
      : weights_(weights), num_samples_(num_samples) {
    for (std::size_t i = 0; i < num_samples; ++i) total_ += weight(i);
  }

  double weight(std::size_t i) const { return weights_.empty() ? 1 : weights_[i]; }

  // The mean of value(i).
  double of(auto&& value) const {
    double sum = 0;
    for (std::size_t i = 0; i < num_samples_; ++i) sum += weight(i) * value(i);
    return sum / total_;
  }

 private:
  std::span<const double> weights_;
  std::size_t num_samples_;
  double total_ = 0;
};

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void check_data(const Dataset& data, Labels labels) {
  const std::size_t n = data.num_samples();
  if (n == 0) throw DataError(data.name + ": expected samples, got none");
  const auto check = [&](bool holds, std::string_view expected) {
    require(holds, fmt::format("{}: expected {}", data.name, expected));
  };
  check(labels == Labels::none || data.labels.size() == n, "one label a sample");
  if (data.weights.empty()) return;
  check(data.weights.size() == n, "one weight a sample");
  const bool usable =
      std::ranges::all_of(data.weights, [](double w) { return std::isfinite(w) && w >= 0; }) &&
      std::ranges::any_of(data.weights, [](double w) { return w > 0; });
  check(usable, "weights of at least 0, and not all of them 0");
}

Vector signs_of(const Dataset& data, const SignLabelNames& names) {
  Vector signs;
  signs.reserve(data.labels.size());
  for (const double label : data.labels) {
    const bool positive = label == names.positive;
    if (!positive && !names.one_against_rest && label != names.negative)
      throw DataError(fmt::format("{}: sample {}: expected label {} or {} (the model's), got {}",
                                  data.name, signs.size() + 1, names.negative, names.positive,
                                  label));
    signs.push_back(positive ? 1 : -1);
  }
  return signs;
}

// y as the loss takes it.
Vector targets_of(const FittedModel& model, const Dataset& data, const AnyLoss& loss) {
  if (loss.labels() == Labels::none) return Vector(data.num_samples());
  return loss.labels() == Labels::signs ? signs_of(data, *model.labels) : data.labels;
}

double mean_loss(const AnyLoss& loss, std::span<const double> u, std::span<const double> y,
                 const Mean& mean) {
  Vector values(u.size());
  loss.values(u, y, values);
  return mean.of([&](std::size_t i) { return values[i]; });
}

SignMetrics sign_metrics(const Dataset& data, std::span<const double> u,
                         std::span<const double> signs, const Mean& mean) {
  const auto positives = static_cast<std::size_t>(std::ranges::count(signs, 1.0));
  return {.accuracy = mean.of([&](std::size_t i) { return (u[i] > 0) == (signs[i] > 0) ? 1 : 0; }),
          .auc = area_under_curve(u, signs, data.weights),
          .positives = positives,
          .negatives = signs.size() - positives};
}

// Told by comparison: the differences from a rounded mean need not be zero.
bool is_constant(std::span<const double> y, const Mean& mean) {
  std::optional<double> first;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (mean.weight(i) == 0) continue;
    if (y[i] != first.value_or(y[i])) return false;
    first = y[i];
  }
  return true;
}

NumberMetrics number_metrics(std::span<const double> u, std::span<const double> y,
                             const Mean& mean) {
  const auto square = [](double r) { return r * r; };
  const double y_mean = mean.of([&](std::size_t i) { return y[i]; });
  const double residual = mean.of([&](std::size_t i) { return square(u[i] - y[i]); });
  const double variance = mean.of([&](std::size_t i) { return square(y[i] - y_mean); });
  return {.rmse = std::sqrt(residual),
          .mae = mean.of([&](std::size_t i) { return std::abs(u[i] - y[i]); }),
          .r2 = is_constant(y, mean) ? std::nullopt : if_finite(1 - residual / variance)};
}

std::optional<double> explained_variance(const FittedModel& model, const Dataset& data, double loss,
                                         const Mean& mean) {
  const Vector squares = squared_lengths(model, data);
  const double variance = mean.of([&](std::size_t i) { return squares[i]; });
  return if_finite(2 * -loss / variance);
}

}  // namespace

std::optional<double> area_under_curve(std::span<const double> u, std::span<const double> signs,
                                       std::span<const double> weights) {
  std::vector<std::size_t> order(u.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return u[i]; });

  double positives = 0, negatives = 0, won = 0;
  for (std::size_t start = 0, end = 0; start < order.size(); start = end) {
    double tied_positives = 0, tied_negatives = 0;
    for (; end < order.size() && u[order[end]] == u[order[start]]; ++end) {
      const double weight = weights.empty() ? 1 : weights[order[end]];
      (signs[order[end]] > 0 ? tied_positives : tied_negatives) += weight;
    }
    won += tied_positives * (negatives + tied_negatives / 2);
    positives += tied_positives;
    negatives += tied_negatives;
  }
  if (positives == 0 || negatives == 0) return std::nullopt;
  return won / (positives * negatives);
}

Metrics evaluate(const FittedModel& model, const Dataset& data) {
  check_model(model);
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  check_data(data, loss.labels());
  const Vector y = targets_of(model, data, loss);
  const auto [u, columns_ignored] = scores(model, data);
  const Mean mean(data.weights, data.num_samples());

  Metrics metrics{.samples = data.num_samples(),
                  .columns_ignored = columns_ignored,
                  .loss = mean_loss(loss, u, y, mean)};
  if (loss.labels() == Labels::signs) metrics.signs = sign_metrics(data, u, y, mean);
  if (loss.labels() == Labels::number) metrics.numbers = number_metrics(u, y, mean);
  if (loss.name() == PcaLoss::name)
    metrics.explained_variance = explained_variance(model, data, metrics.loss, mean);
  return metrics;
}

Figures figures(const Metrics& metrics) {
  Figures all = {{"samples", static_cast<double>(metrics.samples)}, {"loss", metrics.loss}};
  if (metrics.signs) {
    all.emplace_back("accuracy", metrics.signs->accuracy);
    all.emplace_back("auc", metrics.signs->auc);
    all.emplace_back("positives", static_cast<double>(metrics.signs->positives));
    all.emplace_back("negatives", static_cast<double>(metrics.signs->negatives));
  }
  if (metrics.numbers) {
    all.emplace_back("rmse", metrics.numbers->rmse);
    all.emplace_back("mae", metrics.numbers->mae);
    all.emplace_back("r2", metrics.numbers->r2);
  }
  if (metrics.explained_variance)
    all.emplace_back("explained_variance", metrics.explained_variance);
  return all;
}

}  // namespace asynprox
