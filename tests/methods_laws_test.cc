// The laws of src/asynprox/method_laws_testing.h, for every method of the list and for that of an example.
#include <gtest/gtest.h>

#include "asynprox/method_laws_testing.h"

#include "examples/clipped_sgd.h"

namespace asynprox {
namespace {

TEST(MethodsLaws, HoldForEveryMethodOfTheList) {
  for_each_member(AllMethods{}, []<class M>(std::type_identity<M>) {
    SCOPED_TRACE(M::name);
    expect_method_laws<M>();
  });
}

TEST(MethodsLaws, HoldForAMethodOfOnesOwn) { expect_method_laws<ClippedSgd>(); }

// As the laws would have it: the direction of a step is never longer than the radius.
TEST(ClippedSgd, KeepsTheDirectionButNotItsLength) {
  ClippedSgd::ServerPart part(ClippedSgd{.radius = 5}, ServerSetup{.dimension = 2});
  Vector v = {6, 8};
  EXPECT_TRUE(part.direct({}, {.v = v}));
  EXPECT_EQ(v, (Vector{3, 4}));
  EXPECT_TRUE(part.direct({}, {.v = v}));
  EXPECT_EQ(v, (Vector{3, 4}));
}

}  // namespace
}  // namespace asynprox
