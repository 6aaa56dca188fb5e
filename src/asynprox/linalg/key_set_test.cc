#include "asynprox/linalg/key_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "asynprox/base/random.h"

namespace asynprox {
namespace {

std::vector<Key> keys_of(const KeySet& set) { return {set.keys().begin(), set.keys().end()}; }

TEST(KeySet, HoldsEachKeyOnceInTheOrderOfItsFirstAddition) {
  KeySet set(5);
  for (const Key key : {4u, 0u, 4u, 2u, 0u}) set.add(key);
  EXPECT_EQ(keys_of(set), (std::vector<Key>{4, 0, 2}));
}

TEST(KeySet, IsEmptyAfterClearingAndTakesTheSameKeysAgain) {
  KeySet set(3);
  set.add(1);
  for (int round = 0; round < 1000; ++round) {
    set.clear();
    EXPECT_TRUE(set.keys().empty());
    set.add(2);
    set.add(1);
    ASSERT_EQ(keys_of(set), (std::vector<Key>{2, 1}));
  }
}

TEST(KeySet, GivesEveryKeyOfARowThePlaceWhereItStands) {
  const Random random(3);
  std::uint64_t counter = 0;
  KeySet set(300);
  for (int round = 0; round < 50; ++round) {
    set.clear();
    std::vector<Key> first_seen;
    for (std::size_t length : {0, 1, 7, 40, 200}) {
      std::vector<std::uint16_t> row(length);
      for (auto& key : row) key = static_cast<std::uint16_t>(random.index_at(counter++, 300));
      std::vector<std::uint32_t> places(length);
      set.add(std::span<const std::uint16_t>(row), places.data());
      for (const Key key : row)
        if (std::ranges::find(first_seen, key) == first_seen.end()) first_seen.push_back(key);
      ASSERT_EQ(keys_of(set), first_seen);
      for (std::size_t e = 0; e < length; ++e) ASSERT_EQ(set.keys()[places[e]], row[e]);
    }
  }
}

TEST(KeySet, OfNoCoordinatesIsEmpty) {
  KeySet set(0);
  set.clear();
  EXPECT_TRUE(set.keys().empty());
}

}  // namespace
}  // namespace asynprox
