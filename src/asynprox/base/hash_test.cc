#include "asynprox/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace asynprox {
namespace {

std::uint64_t hash_of(const std::vector<double>& numbers) {
  Hash hash;
  hash.add(numbers);
  return hash.value();
}

TEST(Hash, ChangesWithEveryBitOfEveryWordAndWithTheLength) {
  std::vector<double> numbers = {1, -2, 0, 0.5, 3e8, -0.0, 7};
  std::set<std::uint64_t> seen = {hash_of(numbers)};
  std::size_t count = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (int bit = 0; bit < 64; ++bit, ++count) {
      std::vector<double> other = numbers;
      const std::uint64_t flipped = std::bit_cast<std::uint64_t>(other[i]) ^ (1ULL << bit);
      other[i] = std::bit_cast<double>(flipped);
      seen.insert(hash_of(other));
    }
  }
  for (; !numbers.empty(); numbers.pop_back(), ++count) {
    std::vector<double> longer = numbers;
    longer.push_back(0);
    seen.insert(hash_of(longer));
  }
  EXPECT_GE(seen.size(), count - 1) << "at most the appended zero meets a flipped bit";
}

TEST(Hash, DependsOnOrderAndOnEarlierWords) {
  EXPECT_NE(hash_of({1, 2}), hash_of({2, 1}));
  Hash once, twice;
  once.add(std::vector<double>{1});
  twice.add(std::vector<double>{1});
  twice.add(std::vector<double>{1});
  EXPECT_NE(once.value(), twice.value());
}

}  // namespace
}  // namespace asynprox
