#include "asynprox/data/fingerprint.h"

#include <fmt/format.h>

#include <bit>

#include "asynprox/base/random.h"

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

std::string fingerprint(const Dataset& data) {
  Hash hash;
  hash.add(data.dimension());
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const std::vector<RowEntry> row = data.rows.row(i);
    hash.add(row.size());
    for (const RowEntry& entry : row) {
      hash.add(entry.column);
      hash.add(std::bit_cast<std::uint64_t>(entry.value));
    }
  }
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
