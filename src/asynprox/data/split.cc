#include "asynprox/data/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/row_slice.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/linalg/rows_builder.h"

namespace asynprox {
namespace {

// Which samples are the test: those with the smallest random numbers.
std::vector<bool> chosen(std::size_t num_samples, std::size_t num_chosen, std::uint64_t seed) {
  const Random random = Random(seed).stream(0x53504c4954);
  std::vector<SampleIndex> order(num_samples);
  std::iota(order.begin(), order.end(), SampleIndex{0});
  std::ranges::sort(order, {}, [&](SampleIndex i) { return std::pair(random.at(i), i); });
  std::vector<bool> is_test(num_samples, false);
  for (std::size_t i = 0; i < num_chosen; ++i) is_test[order[i]] = true;
  return is_test;
}

Vector picked(const Vector& numbers, const std::vector<bool>& is_test, bool test) {
  Vector part;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (is_test[i] == test) part.push_back(numbers[i]);
  return part;
}

// Without its rows.
Dataset part_of(const Dataset& data, const std::vector<bool>& is_test, bool test) {
  Dataset part = without_samples(data);
  part.labels = picked(data.labels, is_test, test);
  part.weights = picked(data.weights, is_test, test);
  part.row_scale = picked(data.row_scale, is_test, test);
  return part;
}

}  // namespace

Split split(const Dataset& data, double test_share, std::uint64_t seed) {
  require(
      test_share > 0 && test_share < 1,
      fmt::format("a share that is held out: expected above 0 and below 1, got {}", test_share));
  const std::size_t n = data.num_samples();
  const auto num_test = static_cast<std::size_t>(std::llround(test_share * static_cast<double>(n)));
  require(num_test > 0 && num_test < n,
          fmt::format("{}: a share of {} of {} samples leaves one part without any", data.name,
                      test_share, n));
  const std::vector<bool> is_test = chosen(n, num_test, seed);
  Split parts = {part_of(data, is_test, /*test=*/false), part_of(data, is_test, /*test=*/true)};
  RowsBuilder train, test;
  std::vector<Key> columns;
  Vector values;
  walk_rows(data.rows, [&](std::size_t i, std::span<const RowEntry> entries) {
    columns.clear();
    values.clear();
    for (const auto& [column, value] : entries) {
      columns.push_back(column);
      values.push_back(value);
    }
    const std::array<std::uint64_t, 2> offsets = {0, entries.size()};
    (is_test[i] ? test : train).add(offsets, columns, values);
  });
  parts.train.rows = std::move(train).build(data.dimension());
  parts.test.rows = std::move(test).build(data.dimension());
  return parts;
}

}  // namespace asynprox
