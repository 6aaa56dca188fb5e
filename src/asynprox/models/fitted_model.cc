#include "asynprox/models/fitted_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/losses/all.h"

namespace asynprox {
namespace {

constexpr std::size_t kCoefficientsMax = std::size_t{1} << 32;

[[noreturn]] void fail(std::string_view field, std::string_view expected, const std::string& got) {
  throw ContractError(fmt::format("{}: expected {}, got {}", field, expected, got));
}

void in_field(std::string_view field, auto&& check) {
  try {
    check();
  } catch (const ContractError& error) {
    throw ContractError(fmt::format("{}: {}", field, error.what()));
  }
}

void check_labels(const AnyLoss& loss, const std::optional<SignLabelNames>& labels) {
  const bool wanted = loss.labels() == Labels::signs;
  if (wanted && !labels) fail("labels", fmt::format("two for the loss {}", loss.name()), "none");
  if (!wanted && labels) fail("labels", fmt::format("none for the loss {}", loss.name()), "two");
  if (!labels) return;
  for (const double label : {labels->negative, labels->positive})
    if (!std::isfinite(label)) fail("labels", "finite numbers", fmt::format("{}", label));
  if (labels->negative == labels->positive)
    fail("labels", "two different ones", fmt::format("{} twice", labels->positive));
}

void check_finite(std::string_view field, const Vector& numbers) {
  const auto bad = std::ranges::find_if(numbers, [](double x_j) { return !std::isfinite(x_j); });
  if (bad != numbers.end())
    fail(fmt::format("{}[{}]", field, bad - numbers.begin()), "a finite number",
         fmt::format("{}", *bad));
}

void check_coefficients(const Vector& x, const Vector& center) {
  if (x.size() > kCoefficientsMax)
    fail("x", "at most 2^32 coefficients", fmt::format("{}", x.size()));
  check_finite("x", x);
  if (!center.empty() && center.size() != x.size())
    fail("center", fmt::format("{} numbers, one a coefficient", x.size()),
         fmt::format("{}", center.size()));
  check_finite("center", center);
}

// Row by row, so that one column far beyond the others costs nothing.
Scores scores_of_known_columns(const Vector& x, const Rows& rows) {
  Scores result;
  std::vector<Key> ignored;
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    // The same lanes as Rows::dots has, so that the bits are the same.
    std::array<double, 4> lanes{};
    std::size_t entry = 0;
    for (const auto& [column, value] : rows.row(i)) {
      if (column < x.size())
        lanes[entry++ % lanes.size()] += value * x[column];
      else
        ignored.push_back(column);
    }
    result.u.push_back((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]));
  }
  std::ranges::sort(ignored);
  const auto repeated = std::ranges::unique(ignored);
  result.columns_ignored = ignored.size() - repeated.size();
  return result;
}

// z_i'x
Scores unscaled_scores(const Vector& x, const Rows& rows) {
  if (rows.num_columns() > x.size()) return scores_of_known_columns(x, rows);
  Scores result{.u = Vector(rows.num_rows())};
  std::vector<SampleIndex> samples(rows.num_rows());
  std::iota(samples.begin(), samples.end(), SampleIndex{0});
  rows.dots(samples, x, result.u);
  return result;
}

double logistic_function(double u) {
  // exp() sees only non-positive arguments, so small probabilities keep their digits.
  const double e = std::exp(-std::abs(u));
  return u >= 0 ? 1 / (1 + e) : e / (1 + e);
}

}  // namespace

void check_model(const FittedModel& model) {
  in_field("loss", [&] { make_loss(parse_spec(model.loss)); });
  in_field("regularizer", [&] { parse_spec(model.regularizer); });
  check_labels(make_loss(parse_spec(model.loss)), model.labels);
  check_coefficients(model.x, model.center);
  if (model.picture && (model.picture->height < 1 || model.picture->width < 1))
    fail("picture", "a height and a width of at least 1",
         fmt::format("{} and {}", model.picture->height, model.picture->width));
}

Vector row_scale(const FittedModel& model, const Dataset& data) {
  if (!model.normalize_rows) return data.row_scale;
  Dataset normalized{.name = data.name, .rows = data.rows};
  normalize_rows(normalized);
  return normalized.row_scale;
}

Vector squared_lengths(const FittedModel& model, const Dataset& data) {
  const Vector scale = row_scale(model, data);
  Vector squares = data.rows.squared_norms(scale);
  if (model.center.empty()) return squares;
  const double square = dot(model.center, model.center);
  const Vector products = unscaled_scores(model.center, data.rows).u;
  for (std::size_t i = 0; i < squares.size(); ++i)
    squares[i] += square - 2 * (scale.empty() ? 1 : scale[i]) * products[i];
  return squares;
}

Scores scores(const FittedModel& model, const Dataset& data) {
  const Vector scale = row_scale(model, data);
  require(scale.empty() || scale.size() == data.num_samples(), data.name + ": one row scale a row");
  Scores result = unscaled_scores(model.x, data.rows);
  for (std::size_t i = 0; i < scale.size(); ++i) result.u[i] *= scale[i];
  if (!model.center.empty()) {
    const double shift = dot(model.center, model.x);
    for (double& u_i : result.u) u_i -= shift;
  }
  for (std::size_t i = 0; i < result.u.size(); ++i) {
    if (!std::isfinite(result.u[i]))
      throw DataError(fmt::format("{}: sample {}: expected a finite score, got {}", data.name,
                                  i + 1, result.u[i]));
  }
  return result;
}

Vector probabilities(const FittedModel& model, std::span<const double> u) {
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  if (loss.name() != LogisticLoss::name)
    fail("probability", "a model of the loss logistic", fmt::format("one of {}", loss.name()));
  Vector p(u.size());
  std::ranges::transform(u, p.begin(), logistic_function);
  return p;
}

Vector predicted_labels(const FittedModel& model, std::span<const double> u) {
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  check_labels(loss, model.labels);
  Vector labels(u.begin(), u.end());
  if (loss.labels() != Labels::signs) return labels;
  for (double& label : labels) label = label > 0 ? model.labels->positive : model.labels->negative;
  return labels;
}

}  // namespace asynprox
