#include "asynprox/messages/hello.h"

#include <gtest/gtest.h>

#include "asynprox/messages/message_bytes.h"

namespace asynprox {
namespace {

const Hello kHello = {.version = "0.1.0",
                      .plan_hash = 1,
                      .data_fingerprint = "00000000000000ff",
                      .dimension = 7,
                      .build = "gcc"};

TEST(Hello, AgreesWithItself) { EXPECT_EQ(disagreement(kHello, kHello), ""); }

TEST(Hello, NamesTheFirstFieldThatDiffers) {
  Hello other = kHello;
  other.build = "clang";
  EXPECT_EQ(disagreement(kHello, other), "");
  other.dimension = 8;
  EXPECT_EQ(disagreement(kHello, other), "dimension: expected 7, got 8");
  other.data_fingerprint = "0";
  EXPECT_EQ(disagreement(kHello, other), "data: fingerprint: expected 00000000000000ff, got 0");
  other.plan_hash = 2;
  EXPECT_EQ(disagreement(kHello, other),
            "plan: expected hash 0000000000000001, got 0000000000000002");
  other.version = "0.2.0";
  EXPECT_EQ(disagreement(kHello, other), "asynprox: expected 0.1.0, got 0.2.0");
}

}  // namespace
}  // namespace asynprox
