#include "asynprox/data/generators/sparse_logistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/family.h"
#include "asynprox/base/random.h"
#include "asynprox/data/generators/column_laws.h"
#include "asynprox/data/generators/column_set.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kWeights, kLengths, kColumns, kCounts, kLabels };

// With this scale one entry on the support makes a label nearly sure; rows that have none there are
// left to a coin.
constexpr double kWeightScale = 100;

// The longest row, in means.
constexpr std::uint64_t kLengthsMax = 100;

// w_j, a function of j.
class PlantedWeights {
 public:
  PlantedWeights(std::uint64_t seed, double support)
      : random_(Random(seed).stream(kWeights)), support_(support) {}

  double at(std::uint64_t column) const {
    if (random_.uniform_at(2 * column) >= support_) return 0;
    return kWeightScale * normal_like(random_.at(2 * column + 1));
  }

 private:
  Random random_;
  double support_;
};

//   x has density ~ x^-3 on [a, b], so its mean is 2ab/(a + b); the length is 1 + x, rounded up or
//   down by chance so that the mean stays
class RowLengths {
 public:
  RowLengths(std::uint64_t seed, std::uint64_t mean, std::uint64_t num_columns)
      : random_(Random(seed).stream(kLengths)), max_(std::min(num_columns, kLengthsMax * mean)) {
    const auto x_mean = static_cast<double>(mean - 1), b = static_cast<double>(max_ - 1);
    if (mean == 1) return;
    const double a = x_mean * b / (2 * b - x_mean);
    from_ = 1 / (a * a);
    range_ = from_ - 1 / (b * b);
  }

  std::uint64_t at(std::uint64_t row) const {
    if (from_ == 0) return 1;
    const double x = 1 / std::sqrt(from_ - random_.uniform_at(2 * row) * range_);
    return std::min(max_, 1 + static_cast<std::uint64_t>(x + random_.uniform_at(2 * row + 1)));
  }

 private:
  Random random_;
  std::uint64_t max_;
  double from_ = 0;  // 1/a^2; 0 where every row has one entry
  double range_ = 0;
};

template <class Law>
struct SparseLogisticRows {
  std::uint64_t num_columns;
  Law law;
  RowLengths lengths;
  PlantedWeights weights;
  Random columns_random, counts_random, labels_random;

  // Adds `count` distinct columns, in any order, to `columns`.
  void draw_columns(std::uint64_t row, std::uint64_t count, ColumnSet& set,
                    std::vector<Key>& columns) const {
    const Random random = columns_random.stream(row);
    const std::size_t end = columns.size() + count;
    // A long row has seen what is frequent, and waiting for the rest would take long: then it takes
    // the most frequent of those it lacks.
    const std::uint64_t draws_max = 16 * count + 64;
    set.clear(count);
    for (std::uint64_t draw = 0; columns.size() < end && draw < draws_max; ++draw) {
      const Key column = law.draw(random, draw);
      if (set.add(column)) columns.push_back(column);
    }
    for (Key column = 0; columns.size() < end; ++column)
      if (set.add(column)) columns.push_back(column);
  }

  // Adds the values of a row's columns and returns t.
  double add_values(std::uint64_t row, std::span<const Key> columns, Vector& values) const {
    const Random random = counts_random.stream(row);
    const std::size_t begin = values.size();
    double squared = 0;
    for (std::size_t entry = 0; entry < columns.size(); ++entry) {
      const int count = 1 + std::countr_zero(random.at(entry) | std::uint64_t{1} << 15);
      const double value = count * (1 + Law::octave(columns[entry]));
      squared += value * value;  // whole numbers: exact
      values.push_back(value);
    }
    const double length = std::sqrt(squared);
    double t = 0;
    for (std::size_t entry = 0; entry < columns.size(); ++entry) {
      double& value = values[begin + entry];
      value = static_cast<float>(value / length);
      t += value * weights.at(columns[entry]);
    }
    return t;
  }

  void append(std::uint64_t first, std::uint64_t last, LabelledRows& samples) const {
    CsrMatrix& matrix = samples.matrix;
    ColumnSet set;
    for (std::uint64_t row = first; row < last; ++row) {
      const std::size_t begin = matrix.columns.size();
      draw_columns(row, lengths.at(row), set, matrix.columns);
      const std::span<Key> columns = std::span(matrix.columns).subspan(begin);
      std::ranges::sort(columns);
      const double t = add_values(row, columns, matrix.values);
      matrix.offsets.push_back(matrix.columns.size());
      const double chance = (1 + t / (1 + std::fabs(t))) / 2;
      samples.labels.push_back(labels_random.uniform_at(row) < chance ? 1 : -1);
    }
  }

  std::uint64_t count(std::uint64_t first, std::uint64_t last) const {
    std::uint64_t count = 0;
    for (std::uint64_t row = first; row < last; ++row) count += lengths.at(row);
    return count;
  }
};

// With equal chances a row of more than half of the columns is all but a short row's.
template <>
void SparseLogisticRows<UniformColumns>::draw_columns(std::uint64_t row, std::uint64_t count,
                                                      ColumnSet& set,
                                                      std::vector<Key>& columns) const {
  const Random random = columns_random.stream(row);
  const bool all_but = count > num_columns / 2;
  const std::uint64_t drawn = all_but ? num_columns - count : count;
  set.clear(drawn);
  std::uint64_t draw = 0;
  for (std::uint64_t have = 0; have < drawn;) {
    const Key column = law.draw(random, draw++);
    if (!set.add(column)) continue;
    ++have;
    if (!all_but) columns.push_back(column);
  }
  for (Key column = 0; all_but && column < num_columns; ++column)
    if (!set.has(column)) columns.push_back(column);
}

template <class Law>
GeneratedRows generated_rows(std::uint64_t num_rows, const SparseLogisticRows<Law>& rows) {
  return {.num_rows = num_rows,
          .num_columns = rows.num_columns,
          .append = [rows](auto first, auto last,
                           LabelledRows& samples) { rows.append(first, last, samples); },
          .count_nonzeros = [rows](auto first, auto last) { return rows.count(first, last); }};
}

}  // namespace

Vector SparseLogisticGenerator::planted() const {
  check_parameters(*this);
  const std::uint64_t num_columns = checked(d);
  const PlantedWeights weights(checked(seed), support);
  Vector w(num_columns, 0);
  for (std::uint64_t j = 0; j < num_columns; ++j) w[j] = weights.at(j);
  return w;
}

GeneratedRows SparseLogisticGenerator::rows() const {
  check_parameters(*this);
  const std::uint64_t num_columns = checked(d), mean = checked(nonzeros), key = checked(seed);
  if (mean > num_columns)
    throw ContractError(fmt::format("sparse-logistic: nonzeros: expected at most d, got {} and {}",
                                    mean, num_columns));
  const auto with = [&]<class Law>(Law law) {
    return generated_rows(checked(n),
                          SparseLogisticRows<Law>{.num_columns = num_columns,
                                                  .law = law,
                                                  .lengths{key, mean, num_columns},
                                                  .weights{key, support},
                                                  .columns_random = Random(key).stream(kColumns),
                                                  .counts_random = Random(key).stream(kCounts),
                                                  .labels_random = Random(key).stream(kLabels)});
  };
  return columns == "zipf" ? with(ZipfColumns(num_columns)) : with(UniformColumns(num_columns));
}

}  // namespace asynprox
