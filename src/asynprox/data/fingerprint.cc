#include "asynprox/data/fingerprint.h"

#include <fmt/format.h>

#include "asynprox/data/row_walk.h"

namespace asynprox {
namespace {

// Each number is mixed into the one before, so that the order counts.
class Hash {
 public:
  void add(std::uint64_t number) { state_ = Random(state_ ^ number).at(0); }
  void add(std::span<const double> numbers) {
    add(numbers.size());
    for (const double number : numbers) add(std::bit_cast<std::uint64_t>(number));
  }
  std::string hex() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace

std::uint64_t rows_fingerprint(const Rows& rows) {
  RowsFingerprint fingerprint;
  walk_rows(rows, [&](std::size_t, std::span<const RowEntry> entries) {
    for (const RowEntry& entry : entries) fingerprint.add(entry.column, entry.value);
    fingerprint.end_row();
  });
  return fingerprint.value();
}

std::string fingerprint(const Dataset& data) {
  Hash hash;
  hash.add(data.dimension());
  hash.add(data.num_samples());
  hash.add(data.rows_fingerprint ? *data.rows_fingerprint : rows_fingerprint(data.rows));
  hash.add(data.labels);
  hash.add(data.weights);
  hash.add(data.row_scale);
  return hash.hex();
}

std::string fingerprint(std::span<const double> numbers) {
  Hash hash;
  hash.add(numbers);
  return hash.hex();
}

}  // namespace asynprox
