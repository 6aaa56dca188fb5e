#include "asynprox/refinements/dual_system.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "asynprox/linalg/cholesky.h"

namespace asynprox {
namespace {

constexpr std::size_t kFactorsMax = 2000;  // rows of a matrix that is factored: 32 MB
constexpr int kStepsMax = 300;             // of conjugate gradients
constexpr double kWorth = 20;              // times these: factors are exact, and take dense rows

std::int64_t entries_of(const DualSystem& system) {
  std::size_t entries = 0;
  for (const ColumnSpan& column : system.columns) entries += column.length;
  return static_cast<std::int64_t>(entries);
}

// V itself; entry by entry of every column, the upper triangle only.
DualSolution solve_by_samples(const DualSystem& system, std::span<const double> r) {
  const std::size_t n = r.size();
  Vector matrix(n * n, 0);
  double work = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / 6;
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = system.diagonal[i] + system.constant;
    for (std::size_t j = i + 1; j < n && system.constant > 0; ++j)
      matrix[i * n + j] = system.constant;
  }
  for (std::size_t k = 0; k < system.columns.size(); ++k) {
    const ColumnSpan& column = system.columns[k];
    const double length = static_cast<double>(column.length);
    work += 0.5 * length * length;
    for (std::size_t e = 0; e < column.length; ++e) {
      const double factor = system.factors[k] * static_cast<double>(column.values[e]);
      double* const row = &matrix[column.rows[e] * n];
      if (column.length == n)
        for (std::size_t l = e; l < n; ++l)
          row[l] += factor * static_cast<double>(column.values[l]);
      else
        for (std::size_t l = e; l < column.length; ++l)
          row[column.rows[l]] += factor * static_cast<double>(column.values[l]);
    }
  }
  DualSolution solution{.p = {}, .work = static_cast<std::int64_t>(work)};
  const std::optional<Cholesky> factors = Cholesky::of(std::move(matrix), n);
  if (!factors) return solution;
  solution.p.assign(r.begin(), r.end());
  factors->solve(solution.p);
  return solution;
}

// The rows of the columns, side by side.
struct RowsOfColumns {
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> columns;
  Vector values;
};

RowsOfColumns rows_of(const DualSystem& system, std::size_t n) {
  RowsOfColumns rows;
  rows.offsets.assign(n + 2, 0);
  for (const ColumnSpan& column : system.columns)
    for (std::size_t e = 0; e < column.length; ++e) ++rows.offsets[column.rows[e] + 2];
  for (std::size_t i = 2; i < n + 2; ++i) rows.offsets[i] += rows.offsets[i - 1];
  rows.columns.resize(rows.offsets[n + 1]);
  rows.values.resize(rows.offsets[n + 1]);
  for (std::size_t k = 0; k < system.columns.size(); ++k) {
    const ColumnSpan& column = system.columns[k];
    for (std::size_t e = 0; e < column.length; ++e) {
      const std::size_t at = rows.offsets[column.rows[e] + 1]++;
      rows.columns[at] = static_cast<std::uint32_t>(k);
      rows.values[at] = static_cast<double>(column.values[e]);
    }
  }
  return rows;
}

// p = T^-1 (r - A q),  (1/s + A'T^-1 A) q = A'T^-1 r. The column of ones is the last.
DualSolution solve_by_columns(const DualSystem& system, std::span<const double> r) {
  const std::size_t n = r.size(), size = system.columns.size();
  const std::size_t all = size + (system.constant > 0 ? 1 : 0);
  Vector matrix(all * all, 0), q(all, 0), scaled(n);
  const RowsOfColumns rows = rows_of(system, n);
  double work = std::pow(static_cast<double>(all), 3) / 6;
  for (std::size_t i = 0; i < n; ++i) {
    const double inverse = 1 / system.diagonal[i];
    scaled[i] = r[i] * inverse;
    const std::size_t first = rows.offsets[i], last = rows.offsets[i + 1];
    const double length = static_cast<double>(last - first);
    work += 0.5 * length * length;
    for (std::size_t e = first; e < last; ++e) {
      const double factor = rows.values[e] * inverse;
      double* const row = &matrix[rows.columns[e] * all];
      if (last - first == size)
        for (std::size_t l = e; l < last; ++l) row[l - first] += factor * rows.values[l];
      else
        for (std::size_t l = e; l < last; ++l) row[rows.columns[l]] += factor * rows.values[l];
      if (all > size) row[size] += factor;
    }
    if (all > size) matrix[all * all - 1] += inverse;
  }
  for (std::size_t k = 0; k < size; ++k) {
    matrix[k * all + k] += 1 / system.factors[k];
    q[k] = dot_in_doubles(system.columns[k], scaled);
  }
  if (all > size) {
    matrix[all * all - 1] += 1 / system.constant;
    q[size] = sum(scaled);
  }
  DualSolution solution{.p = {}, .work = static_cast<std::int64_t>(work)};
  const std::optional<Cholesky> factors = Cholesky::of(std::move(matrix), all);
  if (!factors) return solution;
  factors->solve(q);
  Vector p(r.begin(), r.end());
  for (std::size_t k = 0; k < size; ++k) add_in_doubles(system.columns[k], -q[k], p);
  for (std::size_t i = 0; i < n; ++i) {
    if (all > size) p[i] -= q[size];
    p[i] /= system.diagonal[i];
  }
  solution.p = std::move(p);
  return solution;
}

Vector product(const DualSystem& system, std::span<const double> v) {
  Vector out(v.size());
  const double all = system.constant > 0 ? system.constant * sum(v) : 0;
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = system.diagonal[i] * v[i] + all;
  for (std::size_t k = 0; k < system.columns.size(); ++k)
    add_in_doubles(system.columns[k], system.factors[k] * dot_in_doubles(system.columns[k], v),
                   out);
  return out;
}

DualSolution solve_by_steps(const DualSystem& system, std::span<const double> r, double accuracy) {
  Vector scales(system.diagonal.begin(), system.diagonal.end());
  for (std::size_t k = 0; k < system.columns.size(); ++k) {
    const ColumnSpan& column = system.columns[k];
    for (std::size_t e = 0; e < column.length; ++e) {
      const double value = static_cast<double>(column.values[e]);
      scales[column.rows[e]] += system.factors[k] * value * value;
    }
  }
  const std::int64_t of_product = 2 * entries_of(system) + static_cast<std::int64_t>(r.size());
  DualSolution solution{.p = Vector(r.size(), 0), .work = of_product};
  Vector residue(r.begin(), r.end()), direction(r.size());
  double size = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    scales[i] = 1 / (scales[i] + system.constant);
    direction[i] = scales[i] * residue[i];
    size += direction[i] * residue[i];
  }
  const double enough = accuracy * accuracy * size;
  for (int step = 0; step < kStepsMax && size > enough; ++step) {
    const Vector bent = product(system, direction);
    solution.work += of_product;
    const double curvature = dot(direction, bent);
    if (!(curvature > 0) || !std::isfinite(curvature)) break;
    add_scaled(solution.p, size / curvature, direction);
    add_scaled(residue, -size / curvature, bent);
    double next = 0;
    for (std::size_t i = 0; i < r.size(); ++i) next += residue[i] * residue[i] * scales[i];
    const double turn = next / std::exchange(size, next);
    for (std::size_t i = 0; i < r.size(); ++i)
      direction[i] = scales[i] * residue[i] + turn * direction[i];
  }
  return solution;
}

}  // namespace

bool factors_are_worth(std::size_t rows, std::int64_t entries) {
  const double steps = kStepsMax * 2 * static_cast<double>(entries);
  return rows <= kFactorsMax && std::pow(static_cast<double>(rows), 3) / 6 <= kWorth * steps;
}

DualSolution solve(const DualSystem& system, std::span<const double> r, double accuracy) {
  const std::size_t n = r.size(), size = system.columns.size();
  if (!factors_are_worth(std::min(n, size), entries_of(system)))
    return solve_by_steps(system, r, accuracy);
  DualSolution solution = size < n ? solve_by_columns(system, r) : solve_by_samples(system, r);
  if (solution.p.empty() || !all_finite(solution.p)) return solve_by_steps(system, r, accuracy);
  return solution;
}

}  // namespace asynprox
