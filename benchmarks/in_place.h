// The reference for sparse data: one thread that samples, computes and changes one model in place,
// with the same lazy l1 prox, and no message, server or bound.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "asynprox/linalg/rows.h"
#include "asynprox/sampling/replacement.h"

namespace asynprox::benchmarks {

class InPlaceL1Logistic {
 public:
  InPlaceL1Logistic(const Rows& rows, std::vector<double> labels, std::int64_t batch, double lambda,
                    double eta)
      : labels_(std::move(labels)),
        sampling_(Replacement{}, {.range = {.first = 0, .last = rows.num_rows()},
                                  .count = static_cast<std::size_t>(batch)}),
        eta_(eta),
        lambda_(lambda),
        records_(rows.num_columns()) {
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      for (const RowEntry& entry : rows.row(i)) {
        columns_.push_back(entry.column);
        values_.push_back(static_cast<float>(entry.value));
      }
      offsets_.push_back(columns_.size());
    }
  }

  void take(std::int64_t steps) {
    for (std::int64_t k = 0; k < steps; ++k) step();
  }

 private:
  // All that is known of a coordinate, in half a cache line.
  struct Record {
    double x = 0;
    double gradient = 0;
    double clock = 0;  // the sum of thresholds when it was last written
    std::uint64_t batch = 0;
  };

  void step() {
    sampling_.draw(++batch_, samples_, weights_);
    touched_.clear();
    for (const SampleIndex i : samples_) add_gradient(i);
    const double share = eta_ / static_cast<double>(samples_.size());
    clock_ += eta_ * lambda_;
    for (const Key key : touched_) {
      Record& record = records_[key];
      record.x = soft_threshold(record.x - share * record.gradient, eta_ * lambda_);
      record.clock = clock_;
    }
  }

  void add_gradient(SampleIndex i) {
    double u = 0;
    for (std::size_t e = offsets_[i]; e < offsets_[i + std::size_t{1}]; ++e)
      u += static_cast<double>(values_[e]) * current(columns_[e]).x;
    const double c = -labels_[i] / (1 + std::exp(labels_[i] * u));
    for (std::size_t e = offsets_[i]; e < offsets_[i + std::size_t{1}]; ++e)
      records_[columns_[e]].gradient += c * static_cast<double>(values_[e]);
  }

  Record& current(Key key) {
    Record& record = records_[key];
    if (record.batch == batch_) return record;
    record.batch = batch_;
    record.gradient = 0;
    record.x = soft_threshold(record.x, clock_ - record.clock);
    touched_.push_back(key);
    return record;
  }

  static double soft_threshold(double v, double t) { return v - std::fmin(std::fmax(v, -t), t); }

  std::vector<std::size_t> offsets_ = {0};
  std::vector<Key> columns_;
  std::vector<float> values_;
  std::vector<double> labels_;
  Replacement::Sampler sampling_;
  Vector weights_;
  double eta_, lambda_;
  std::vector<Record> records_;
  std::vector<SampleIndex> samples_;
  std::vector<Key> touched_;
  std::uint64_t batch_ = 0;
  double clock_ = 0;
};

}  // namespace asynprox::benchmarks
