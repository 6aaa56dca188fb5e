#include "asynprox/checkpoints/checkpoint_rule.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

TEST(CheckpointRule, IsReadAsSecondsOrSteps) {
  EXPECT_EQ(checkpoint_rule("30", "x"), (CheckpointRule{.seconds = 30}));
  EXPECT_EQ(checkpoint_rule("0.5", "x"), (CheckpointRule{.seconds = 0.5}));
  EXPECT_EQ(checkpoint_rule("1000steps", "x"), (CheckpointRule{.steps = 1000}));
}

TEST(CheckpointRule, IsWrittenAsItIsRead) {
  for (const char* text : {"30", "0.5", "1000steps"})
    EXPECT_EQ(text_of(checkpoint_rule(text, "x")), text);
  EXPECT_EQ(text_of({}), "");
}

TEST(CheckpointRule, IsRefusedWithWhatWasExpected) {
  for (const char* text : {"", "0", "-1", "inf", "nan", "steps", "0steps", "1.5steps", "-3steps",
                           "10 steps", "3s", "99999999999999999999steps"})
    try {
      checkpoint_rule(text, "--checkpoint-every");
      ADD_FAILURE() << "'" << text << "' was read";
    } catch (const ContractError& error) {
      EXPECT_EQ(std::string(error.what()).find("--checkpoint-every: expected seconds above 0"), 0)
          << error.what();
    }
}

}  // namespace
}  // namespace asynprox
