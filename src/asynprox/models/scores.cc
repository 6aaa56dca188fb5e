#include "asynprox/models/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/row_walk.h"

namespace asynprox {
namespace {

// Of u, for the rows of output c.
struct Column {
  std::span<double> u;
  std::size_t outputs = 1;
  std::size_t c = 0;
  double& operator[](std::size_t i) const { return u[i * outputs + c]; }
};

// z_i'x, row by row, so that one column far beyond the others costs nothing.
void dots_of_known_columns(const Rows& rows, const Vector& x, Column u) {
  walk_rows(rows, [&](std::size_t i, std::span<const RowEntry> row) {
    // The same lanes as Rows::dots has, so that the bits are the same.
    std::array<double, 4> lanes{};
    std::size_t entry = 0;
    for (const auto& [column, value] : row)
      if (column < x.size()) lanes[entry++ % lanes.size()] += value * x[column];
    u[i] = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  });
}

// z_i'x
void dots(const Rows& rows, const Vector& x, Column u) {
  if (rows.num_columns() > x.size()) return dots_of_known_columns(rows, x, u);
  std::vector<SampleIndex> samples(rows.num_rows());
  std::iota(samples.begin(), samples.end(), SampleIndex{0});
  if (u.outputs == 1) return rows.dots(samples, x, u.u);
  Vector products(rows.num_rows());
  rows.dots(samples, x, products);
  for (std::size_t i = 0; i < products.size(); ++i) u[i] = products[i];
}

std::vector<Key> columns_from(std::size_t first, const Rows& rows) {
  std::vector<Key> found;
  if (rows.num_columns() <= first) return found;
  // Sorted when there are many more than distinct ones, so that memory follows these.
  std::size_t sort_at = 1 << 16;
  const auto keep_distinct = [&] {
    std::ranges::sort(found);
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    sort_at = std::max(sort_at, 2 * found.size());
  };
  walk_rows(rows, [&](std::size_t, std::span<const RowEntry> row) {
    for (const RowEntry& entry : row)
      if (entry.column >= first) found.push_back(entry.column);
    if (found.size() >= sort_at) keep_distinct();
  });
  keep_distinct();
  return found;
}

Vector products_with(const Vector& x, const Rows& rows) {
  Vector products(rows.num_rows());
  dots(rows, x, {.u = products});
  return products;
}

Vector product(const Vector& a, const Vector& b) {
  Vector result(a.size());
  std::ranges::transform(a, b, result.begin(), std::multiplies());
  return result;
}

// x_c
Vector coefficients_of(const FittedModel& model, std::size_t c) {
  Vector x_c(model.dimension());
  for (std::size_t j = 0; j < x_c.size(); ++j) x_c[j] = model.x[j * model.outputs + c];
  return x_c;
}

// |D s_i z_i|^2
Vector squared_norms(const Vector& column_scale, const Rows& rows, const Vector& scale) {
  if (column_scale.empty()) return rows.squared_norms(scale);
  Vector squares(rows.num_rows());
  walk_rows(rows, [&](std::size_t i, std::span<const RowEntry> row) {
    for (const auto& [column, value] : row) {
      const double factor = column < column_scale.size() ? column_scale[column] : 1;
      const double scaled = value * factor * (scale.empty() ? 1 : scale[i]);
      squares[i] += scaled * scaled;
    }
  });
  return squares;
}

}  // namespace

Vector row_scale(const FittedModel& model, const Dataset& data, std::size_t samples_before) {
  if (!model.normalize_rows) {
    require(data.row_scale.empty() || data.row_scale.size() == data.num_samples(),
            data.name + ": one row scale a row");
    return data.row_scale;
  }
  const std::string name = samples_before == 0
                               ? data.name
                               : fmt::format("{}, after sample {}", data.name, samples_before);
  Dataset normalized{.name = name, .rows = data.rows};
  normalize_rows(normalized);
  return normalized.row_scale;
}

Vector squared_lengths(const FittedModel& model, const Dataset& data, std::size_t samples_before) {
  const Vector scale = row_scale(model, data, samples_before);
  Vector squares = squared_norms(model.column_scale, data.rows, scale);
  if (model.center.empty()) return squares;
  const double square = dot(model.center, model.center);
  const Vector products = products_with(
      model.column_scale.empty() ? model.center : product(model.column_scale, model.center),
      data.rows);
  for (std::size_t i = 0; i < squares.size(); ++i)
    squares[i] += square - 2 * (scale.empty() ? 1 : scale[i]) * products[i];
  return squares;
}

Scorer::Scorer(const FittedModel& model)
    : model_(model), kind_(make_model_kind(parse_spec(model.model))), shift_(model.outputs) {
  if (!is_linear(kind_)) return;
  for (std::size_t c = 0; c < model.outputs; ++c) {
    Vector x_c = coefficients_of(model, c);
    shift_[c] = (model.intercept.empty() ? 0 : model.intercept[c]) - dot(model.center, x_c);
    if (model.outputs == 1 && model.column_scale.empty()) return;
    own_coefficients_.push_back(model.column_scale.empty() ? std::move(x_c)
                                                           : product(model.column_scale, x_c));
  }
}

void Scorer::linear_scores(const Dataset& data, const Vector& scale, Vector& u) const {
  const std::size_t outputs = model_.outputs;
  u.resize(data.num_samples() * outputs);
  for (std::size_t c = 0; c < outputs; ++c)
    dots(data.rows, coefficients(c), {.u = u, .outputs = outputs, .c = c});
  for (std::size_t entry = 0; entry < u.size(); ++entry) {
    if (!scale.empty()) u[entry] *= scale[entry / outputs];
    u[entry] += shift_[entry % outputs];
  }
}

Scores Scorer::scores(const Dataset& data, std::size_t samples_before) const {
  const std::size_t outputs = model_.outputs;
  Vector scale = row_scale(model_, data, samples_before);
  Scores result{.u = {}, .ignored = columns_from(model_.dimension(), data.rows)};
  if (is_linear(kind_))
    linear_scores(data, scale, result.u);
  else
    result.u = kind_scores(kind_, model_, data, std::move(scale));
  for (std::size_t entry = 0; entry < result.u.size(); ++entry) {
    const double u_ic = result.u[entry];
    if (!std::isfinite(u_ic))
      throw DataError(fmt::format("{}: sample {}: expected a finite score, got {}", data.name,
                                  samples_before + entry / outputs + 1, u_ic));
  }
  return result;
}

Scores scores(const FittedModel& model, const Dataset& data) { return Scorer(model).scores(data); }

}  // namespace asynprox
