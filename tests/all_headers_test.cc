// That this file compiles is the test: all headers of the library can be used together, so that no
// name stands for two things.
#include "all_headers.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace asynprox {
namespace {

// Once there were two of each: of a trace and of a model on data, of layers and of cables.
TEST(AllHeaders, TellApartWhatOnceHadTheSameName) {
  EXPECT_FALSE((std::is_same_v<Evaluation, Evaluator>));
  EXPECT_FALSE((std::is_same_v<Network, VirtualNetwork>));
}

}  // namespace
}  // namespace asynprox
