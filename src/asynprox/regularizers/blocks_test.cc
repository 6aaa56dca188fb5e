// An h that is the same on blocks of coordinates is the sum of itself over them.
#include <gtest/gtest.h>

#include "asynprox/base/random.h"
#include "asynprox/regularizers/all.h"

namespace asynprox {
namespace {

constexpr std::size_t kBlock = 4, kBlocks = 5, kFree = 2;

TEST(Blocks, OfGroupsAddUpToTheWhole) {
  const Random random(8);
  Vector x(kBlock * kBlocks + kFree), etas(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = random.uniform_at(2 * j) - 0.5;
    etas[j] = 0.1 + random.uniform_at(2 * j + 1);
  }
  for (const AnyRegularizer& made :
       std::vector<AnyRegularizer>{GroupLasso{.lambda = 0.3, .size = kBlock},
                                   SparseGroupLasso{.l1 = 0.1, .group = 0.2, .size = kBlock}}) {
    const AnyRegularizer h = made.bound(x.size(), kFree);
    const std::optional<AnyRegularizer> block = h.per_block(kBlock);
    ASSERT_TRUE(block) << h.name();
    double total = 0;
    Vector whole = x, parts = x;
    h.prox_scaled(whole, etas);
    for (std::size_t first = 0; first < kBlock * kBlocks; first += kBlock) {
      total += block->value(std::span(x).subspan(first, kBlock));
      block->prox_scaled(std::span(parts).subspan(first, kBlock),
                         std::span(etas).subspan(first, kBlock));
    }
    EXPECT_NEAR(total, h.value(x), 1e-14 * total);
    EXPECT_EQ(parts, whole);
    EXPECT_FALSE(h.per_block(2 * kBlock)) << h.name();
  }
}

TEST(Blocks, AreNotThereWhereGroupsAreOfAnotherKind) {
  const NumbersFile groups = {"", {0, 0, 1, 1}};
  EXPECT_FALSE(AnyRegularizer(GroupLasso{.lambda = 1, .groups = groups}).bound(4).per_block(2));
  EXPECT_FALSE(AnyRegularizer(L1{.lambda = 1}).bound(4).per_block(2));
}

}  // namespace
}  // namespace asynprox
