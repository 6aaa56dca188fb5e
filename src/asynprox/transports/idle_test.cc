#include "asynprox/transports/idle.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

TEST(Rest, IsDeeperTheLongerThereIsNothingToDo) {
  EXPECT_EQ(rest_after(0), Rest::spin);
  EXPECT_EQ(rest_after(49e-6), Rest::spin);
  EXPECT_EQ(rest_after(51e-6), Rest::yield);
  EXPECT_EQ(rest_after(0.9e-3), Rest::yield);
  EXPECT_EQ(rest_after(1.1e-3), Rest::sleep);
  EXPECT_EQ(rest_after(1e6), Rest::sleep);
}

}  // namespace
}  // namespace asynprox
