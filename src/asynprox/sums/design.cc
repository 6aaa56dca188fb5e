#include "asynprox/sums/design.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/for_samples.h"

namespace asynprox {
namespace {

// Coefficients: a batch is to cost its nonzeros, not d.
constexpr std::size_t kLookedAt = 4096;

// Within these, the square of a scale is a number.
bool can_be_squared(double scale) { return scale == 0 || (scale > 1e-150 && scale < 1e150); }

}  // namespace

Design::Design(const Dataset& data, std::size_t outputs, bool intercept)
    : rows_(data.rows),
      row_scale_(data.row_scale),
      column_scale_(data.column_scale),
      center_(data.center),
      outputs_(outputs),
      intercept_(intercept) {
  const std::size_t n = rows_.num_rows(), d = rows_.num_columns();
  require(n > 0, "the data has no samples");
  require(outputs >= 1, "a linear model has at least one output");
  require(row_scale_.empty() || row_scale_.size() == n, data.name + ": one row scale a row");
  require(column_scale_.empty() || column_scale_.size() == d,
          data.name + ": one column scale a column");
  require(center_.empty() || center_.size() == d, data.name + ": one mean a column");
  require(dimension() <= std::numeric_limits<Key>::max(),
          data.name + ": features times outputs are more than 2^32");
  products_fused_ = outputs_ == 1 && !intercept_ && center_.empty() && column_scale_.empty() &&
                    std::ranges::all_of(row_scale_, can_be_squared);
}

void Design::scale_by_rows(std::span<const SampleIndex> samples, std::span<double> c) const {
  if (row_scale_.empty()) return;
  if (outputs_ == 1) {
    for (std::size_t i = 0; i < samples.size(); ++i) c[i] *= row_scale_[samples[i]];
    return;
  }
  for (std::size_t i = 0; i < samples.size(); ++i)
    scale(c.subspan(i * outputs_, outputs_), row_scale_[samples[i]]);
}

void Design::scale_by_columns(std::span<double> x) const {
  for (std::size_t j = 0; j < column_scale_.size(); ++j)
    scale(x.subspan(j * outputs_, outputs_), column_scale_[j]);
}

Design::Point Design::at(std::span<const double> x) const {
  Point point{x.first(num_coefficients()), {}, {}};
  const auto is_zero = [](double x_j) { return x_j == 0; };
  point.at_zero = point.x.size() <= kLookedAt && std::ranges::all_of(point.x, is_zero);
  if (!center_.empty() || intercept_) point.shift.assign(outputs_, 0);
  for (std::size_t j = 0; j < center_.size(); ++j)
    add_scaled(point.shift, -center_[j], x.subspan(j * outputs_, outputs_));
  if (intercept_) add_scaled(point.shift, 1, x.subspan(num_coefficients()));
  if (column_scale_.empty()) return point;
  point.scaled.assign(point.x.begin(), point.x.end());
  scale_by_columns(point.scaled);
  point.x = point.scaled;
  return point;
}

void Design::outputs_at(const Point& point, std::span<const SampleIndex> samples,
                        std::span<double> u) const {
  if (point.at_zero)
    std::ranges::fill(u, 0);
  else if (outputs_ == 1)
    rows_.dots(samples, point.x, u);
  else
    rows_.dots_of_outputs(samples, point.x, outputs_, u);
  scale_by_rows(samples, u);
  if (point.shift.empty()) return;
  for (std::size_t i = 0; i < u.size(); i += outputs_)
    add_scaled(u.subspan(i, outputs_), 1, point.shift);
}

Design::Sum Design::sum_into(std::span<double> g) const {
  Sum sum{g, {}, {}};
  if (!center_.empty() || intercept_) sum.totals.assign(outputs_, 0);
  if (!column_scale_.empty()) sum.scaled.assign(num_coefficients(), 0);
  return sum;
}

void Design::scatter(std::span<const SampleIndex> samples, std::span<double> c, Sum& sum) const {
  if (!sum.totals.empty())
    for (std::size_t i = 0; i < c.size(); i += outputs_)
      add_scaled(sum.totals, 1, c.subspan(i, outputs_));
  scale_by_rows(samples, c);
  const std::span<double> g = column_scale_.empty() ? sum.g : std::span(sum.scaled);
  if (outputs_ == 1)
    rows_.scatter(samples, c, g);
  else
    rows_.scatter_of_outputs(samples, c, outputs_, g);
}

void Design::finish(Sum& sum) const {
  if (!column_scale_.empty()) {
    scale_by_columns(sum.scaled);
    add_scaled(sum.g.first(num_coefficients()), 1, sum.scaled);
  }
  for (std::size_t j = 0; j < center_.size(); ++j)
    add_scaled(sum.g.subspan(j * outputs_, outputs_), -center_[j], sum.totals);
  if (intercept_) add_scaled(sum.g.subspan(num_coefficients()), 1, sum.totals);
}

// Entries that are not stored are added afterwards, by the sum of their c.
void Design::centered_scatter(std::span<const SampleIndex> samples, std::span<const double> c,
                              std::span<const double> means, std::span<double> g) const {
  const std::size_t coefficients = num_coefficients();
  Vector stored(coefficients, 0), totals(outputs_, 0);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::span<const double> c_i = c.subspan(i * outputs_, outputs_);
    add_scaled(totals, 1, c_i);
    for (const auto& [column, value] : rows_.row(samples[i])) {
      const double a = entry(samples[i], column, value);
      for (std::size_t k = 0, j = column * outputs_; k < outputs_; ++k, ++j) {
        g[j] += c_i[k] * (a - means[j]);
        stored[j] += c_i[k];
      }
    }
  }
  for (std::size_t j = 0; j < coefficients; ++j) {
    const double absent = totals[j % outputs_] - stored[j];
    g[j] += absent * ((center_.empty() ? 0 : -center_[j / outputs_]) - means[j]);
  }
  for (std::size_t k = 0; k < num_free(); ++k)
    g[coefficients + k] += totals[k] * (1 - means[coefficients + k]);
}

void Design::add_products(std::span<const SampleIndex> samples, std::span<double> factors,
                          std::span<const double> x, std::span<double> g) const {
  scale_by_rows(samples, factors);
  scale_by_rows(samples, factors);
  rows_.add_products(samples, factors, x, g);
}

void Design::add_keys(std::span<const SampleIndex> samples, KeySet& keys) const {
  const std::size_t coefficients = num_coefficients();
  for (std::size_t b = 0; b < num_free(); ++b) keys.add(static_cast<Key>(coefficients + b));
  if (outputs_ == 1)
    rows_.add_keys(samples, keys);
  else
    rows_.add_keys_of_outputs(samples, outputs_, keys);
}

double Design::mean_keys() const {
  const double nonzeros =
      static_cast<double>(rows_.num_nonzeros()) / static_cast<double>(rows_.num_rows());
  return nonzeros * static_cast<double>(outputs_) + static_cast<double>(num_free());
}

// The intercept's key comes first, so that it is number 0.
void Design::localize(std::span<const SampleIndex> samples, KeySet& keys, LocalRows& batch) const {
  if (intercept_) keys.add(static_cast<Key>(num_coefficients()));
  batch.assign(rows_, samples, keys, column_scale_);
}

void Design::local_outputs(const LocalRows& batch, std::size_t first, std::span<const double> x,
                           std::span<const SampleIndex> samples, std::span<double> u) const {
  batch.dots(first, x, u);
  scale_by_rows(samples, u);
  if (!intercept_) return;
  for (double& u_i : u) u_i += x[0];
}

void Design::local_scatter(const LocalRows& batch, std::size_t first,
                           std::span<const SampleIndex> samples, std::span<double> c,
                           std::span<double> g) const {
  if (intercept_) g[0] += std::accumulate(c.begin(), c.end(), 0.0);
  scale_by_rows(samples, c);
  batch.scatter(first, c, g);
}

Vector Design::squared_lengths() const {
  Vector squares = rows_.squared_norms(row_scale_, column_scale_);
  if (!center_.empty()) add_center_lengths(squares);
  if (intercept_)
    for (double& square : squares) square += 1;
  return squares;
}

Vector Design::mean_column_squares(Vector weights) const {
  const auto n = static_cast<double>(num_rows());
  const double total = weights.empty() ? n : sum(weights);
  weights.resize(num_rows(), 1);
  for (std::size_t i = 0; i < row_scale_.size(); ++i) weights[i] *= row_scale_[i] * row_scale_[i];
  const Vector columns = rows_.column_squares(weights);
  Vector squares(dimension(), total / n);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const double scale = column_scale_.empty() ? 1 : column_scale_[j];
    for (std::size_t c = 0; c < outputs_; ++c)
      squares[j * outputs_ + c] = columns[j] * scale * scale / n;
  }
  return squares;
}

ColumnMoments Design::column_moments(const Vector& weights) const {
  const auto n = static_cast<double>(num_rows());
  const double total = sum(weights);
  ColumnMoments moments;
  moments.means.assign(dimension(), 0);
  moments.weight = total / n;
  Sum means = sum_into(moments.means);
  for_samples(0, num_rows(), [&](std::span<const SampleIndex> samples) {
    Vector c(samples.size() * outputs_);
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = weights[samples[k / outputs_]];
    scatter(samples, c, means);
  });
  finish(means);
  if (total > 0) scale(moments.means, 1 / total);
  add_squares(weights, moments);
  return moments;
}

// Entry by entry, with what columns have where no entry is stored added afterwards.
void Design::add_squares(const Vector& weights, ColumnMoments& moments) const {
  const auto n = static_cast<double>(num_rows());
  const std::size_t columns = rows_.num_columns();
  Vector squares(columns, 0), variances(columns, 0), stored(columns, 0);
  for (std::size_t i = 0; i < num_rows(); ++i)
    for (const auto& [column, value] : rows_.row(i)) {
      const double a = entry(i, column, value);
      const double around = a - moments.means[column * outputs_];
      squares[column] += weights[i] * a * a;
      variances[column] += weights[i] * around * around;
      stored[column] += weights[i];
    }
  const double total = moments.weight * n;
  moments.squares.assign(dimension(), moments.weight);
  moments.variances.assign(dimension(), 0);
  for (std::size_t j = 0; j < columns; ++j) {
    const double rest = std::max(0.0, total - stored[j]);
    const double entry = center_.empty() ? 0 : -center_[j];
    const double around = entry - moments.means[j * outputs_];
    for (std::size_t k = j * outputs_; k < (j + 1) * outputs_; ++k) {
      moments.squares[k] = (squares[j] + rest * entry * entry) / n;
      moments.variances[k] = (variances[j] + rest * around * around) / n;
    }
  }
}

Gram Design::gram(std::span<const SampleIndex> samples, std::span<const double> weights,
                  std::span<const Key> keys) const {
  if (outputs_ == 1) {
    const bool with_intercept = intercept_ && !keys.empty() && keys.back() == rows_.num_columns();
    return gram_of_columns(samples, weights, keys.first(keys.size() - (with_intercept ? 1 : 0)),
                           with_intercept);
  }
  Gram gram = {.entries = Vector(keys.size() * keys.size(), 0)};
  for (std::size_t c = 0; c < outputs_; ++c)
    for (std::size_t k = c; k < outputs_; ++k) add_coupling(samples, weights, keys, c, k, gram);
  return gram;
}

void Design::add_coupling(std::span<const SampleIndex> samples, std::span<const double> weights,
                          std::span<const Key> keys, std::size_t c, std::size_t k,
                          Gram& gram) const {
  // The features that have a coordinate of either output, in their order, with the intercept last.
  std::vector<Key> features;
  for (const Key key : keys)
    if (key % outputs_ == c || key % outputs_ == k)
      if (const auto feature = static_cast<Key>(key / outputs_);
          features.empty() || features.back() != feature)
        features.push_back(feature);
  if (features.empty()) return;
  const bool with_intercept = intercept_ && features.back() == rows_.num_columns();
  Vector row_weights(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    row_weights[i] = weights[(i * outputs_ + c) * outputs_ + k];
  const std::size_t size = features.size();
  const Gram part =
      gram_of_columns(samples, row_weights,
                      std::span(features).first(size - (with_intercept ? 1 : 0)), with_intercept);
  gram.products += part.products;
  const auto place = [&](Key key) {
    const auto feature = static_cast<Key>(key / outputs_);
    return static_cast<std::size_t>(std::ranges::lower_bound(features, feature) - features.begin());
  };
  for (std::size_t a = 0; a < keys.size(); ++a) {
    if (keys[a] % outputs_ != c) continue;
    for (std::size_t b = 0; b < keys.size(); ++b)
      if (keys[b] % outputs_ == k)
        gram.entries[a * keys.size() + b] = gram.entries[b * keys.size() + a] =
            part.entries[place(keys[a]) * size + place(keys[b])];
  }
}

Gram Design::gram_of_columns(std::span<const SampleIndex> samples, std::span<const double> weights,
                             std::span<const Key> columns, bool with_intercept) const {
  const std::size_t size = columns.size() + (with_intercept ? 1 : 0);
  Gram gram = {.entries = Vector(size * size, 0)};
  const auto column_scale = [&](std::size_t i) {
    return column_scale_.empty() ? 1 : column_scale_[columns[i]];
  };
  Vector row_weights(weights.begin(), weights.end());
  const auto scale_rows = [&] {
    for (std::size_t i = 0; i < samples.size() && !row_scale_.empty(); ++i)
      row_weights[i] *= row_scale_[samples[i]];
  };
  scale_rows();
  if (with_intercept) {
    Vector sums(rows_.num_columns(), 0);
    rows_.scatter(samples, row_weights, sums);
    for (std::size_t i = 0; i < columns.size(); ++i)
      gram.entries[i * size + size - 1] = sums[columns[i]] * column_scale(i);
    gram.entries.back() = std::accumulate(weights.begin(), weights.end(), 0.0);
  }
  scale_rows();
  gram.products = rows_.add_gram(samples, row_weights, columns, size, gram.entries);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = i; j < columns.size(); ++j)
      gram.entries[i * size + j] *= column_scale(i) * column_scale(j);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j) gram.entries[i * size + j] = gram.entries[j * size + i];
  return gram;
}

Vector Design::scaled_squared_lengths(std::span<const double> scales) const {
  Vector roots(rows_.num_columns());
  for (std::size_t j = 0; j < roots.size(); ++j)
    roots[j] = std::sqrt(scales[j * outputs_]) * (column_scale_.empty() ? 1 : column_scale_[j]);
  Vector squares = rows_.squared_norms(row_scale_, roots);
  if (intercept_)
    for (double& square : squares) square += scales.back();
  return squares;
}

void Design::add_center_lengths(Vector& squares) const {
  const double square = dot(center_, center_);
  const double rounding =
      std::numeric_limits<double>::epsilon() * (8 + static_cast<double>(center_.size()));
  Vector scaled = center_;
  for (std::size_t j = 0; j < column_scale_.size(); ++j) scaled[j] *= column_scale_[j];
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const auto sample = static_cast<SampleIndex>(i);
    double along = 0;
    rows_.dots({&sample, 1}, scaled, {&along, 1});
    along = along * (row_scale_.empty() ? 1 : row_scale_[i]) - square;
    // |a|^2 = |a + mu|^2 - 2 a'mu - |mu|^2, and what rounding may have taken away: far from the
    // origin little is left of large numbers, and a bound has to stay one.
    const double lost = rounding * (squares[i] + square);
    squares[i] = std::max(0.0, squares[i] - 2 * along - square) + lost;
  }
}

}  // namespace asynprox
