// What the row forms are measured against: a finite sum over compressed sparse rows as a textbook
// has them, with doubles, 32-bit columns and 64-bit offsets, one sample after the other.
#pragma once

#include <span>
#include <utility>

#include "asynprox/linalg/rows.h"
#include "asynprox/sums/finite_sum.h"

namespace asynprox::benchmarks {

template <class Loss>
class PlainCsrSum {
 public:
  PlainCsrSum(const Rows& rows, Vector labels) : labels_(std::move(labels)) {
    matrix_.num_columns = rows.num_columns();
    matrix_.columns.reserve(rows.num_nonzeros());
    matrix_.values.reserve(rows.num_nonzeros());
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      for (const RowEntry& entry : rows.row(i)) {
        matrix_.columns.push_back(entry.column);
        matrix_.values.push_back(entry.value);
      }
      matrix_.offsets.push_back(matrix_.columns.size());
    }
  }

  std::size_t dimension() const { return matrix_.num_columns; }
  std::size_t num_samples() const { return matrix_.offsets.size() - 1; }

  double value(std::span<const double> x, Samples samples) const {
    double total = 0;
    for (const SampleIndex sample : samples)
      total += Loss{}.value(output(x, sample), labels_[sample]);
    return total;
  }

  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const SampleIndex sample = samples[i];
      const double weight = weights.empty() ? 1 : weights[i];
      const double c = weight * Loss{}.derivative(output(x, sample), labels_[sample]);
      const std::size_t end = matrix_.offsets[sample + 1];
      for (std::size_t entry = matrix_.offsets[sample]; entry < end; ++entry)
        g[matrix_.columns[entry]] += c * matrix_.values[entry];
    }
  }

 private:
  double output(std::span<const double> x, SampleIndex sample) const {
    const std::size_t end = matrix_.offsets[sample + 1];
    double u = 0;
    for (std::size_t entry = matrix_.offsets[sample]; entry < end; ++entry)
      u += matrix_.values[entry] * x[matrix_.columns[entry]];
    return u;
  }

  CsrMatrix matrix_;
  Vector labels_;
};

}  // namespace asynprox::benchmarks
