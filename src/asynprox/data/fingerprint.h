// A short name for the contents of data: equal data has the same, other data almost surely not.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"

namespace asynprox {

// 16 hexadecimal digits, of the samples as used: entries, labels, weights and scales. Where
// data.rows_fingerprint is known, the entries are not read.
std::string fingerprint(const Dataset& data);
std::string fingerprint(std::span<const double> numbers);

// Of the entries of all rows, in order, whatever their form.
std::uint64_t rows_fingerprint(const Rows& rows);

// The same, for rows that are not held.
class RowsFingerprint {
 public:
  // An entry of the row that is under way. A row's columns rise, so their order says nothing: the
  // sum lets the processor work on several entries at once.
  void add(Key column, double value) {
    row_ += Random(std::bit_cast<std::uint64_t>(value)).at(column);
    ++length_;
  }

  void end_row() {
    state_ = Random(state_ ^ row_).at(length_);
    row_ = length_ = 0;
  }

  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
  std::uint64_t row_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace asynprox
