#include "asynprox/linalg/key_set.h"

#include <gtest/gtest.h>

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

TEST(KeySet, OfNoCoordinatesIsEmpty) {
  KeySet set(0);
  set.clear();
  EXPECT_TRUE(set.keys().empty());
}

}  // namespace
}  // namespace asynprox
