#include "asynprox/data/fingerprint.h"

#include <fmt/format.h>

#include "asynprox/base/hash.h"
#include "asynprox/data/row_walk.h"

namespace asynprox {
namespace {

// One by one: the order counts, and the number of them.
void add(std::span<const double> numbers, Hash& hash) {
  hash.add(numbers.size());
  for (const double number : numbers) hash.add(std::bit_cast<std::uint64_t>(number));
}

std::string hex(const Hash& hash) { return fmt::format("{:016x}", hash.value()); }

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
  add(data.labels, hash);
  add(data.weights, hash);
  add(data.row_scale, hash);
  return hex(hash);
}

std::string fingerprint(std::span<const double> numbers) {
  Hash hash;
  add(numbers, hash);
  return hex(hash);
}

}  // namespace asynprox
