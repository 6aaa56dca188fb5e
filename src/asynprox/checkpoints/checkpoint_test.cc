#include "asynprox/checkpoints/checkpoint.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/checkpoints/checkpoints_testing.h"

namespace asynprox {
namespace {

TEST(Checkpoint, IsReadAsItWasWritten) {
  const Checkpoint written = small_checkpoint(7);
  const Checkpoint read = decode_checkpoint(encode(written));
  EXPECT_EQ(encode(read), encode(written));
  EXPECT_EQ(read.generation, 7U);
  EXPECT_EQ(read.plan_hash, written.plan_hash);
  EXPECT_EQ(read.version, written.version);
  EXPECT_EQ(read.build, written.build);
  EXPECT_EQ(read.data_fingerprint, written.data_fingerprint);
  EXPECT_EQ(read.run, written.run);
  EXPECT_EQ(read.state.steps, written.state.steps);
  EXPECT_EQ(read.state.events, written.state.events);
  EXPECT_EQ(read.state.session, written.state.session);
  EXPECT_EQ(read.state.workers, written.state.workers);
  EXPECT_EQ(read.state.messages, written.state.messages);
  EXPECT_EQ(read.state.clock, written.state.clock);
}

TEST(Checkpoint, OfEmptySectionsIsReadToo) {
  EXPECT_EQ(encode(decode_checkpoint(encode({}))), encode({}));
}

TEST(Checkpoint, IsRefusedAtEveryLengthButItsOwn) {
  std::vector<std::byte> bytes = encode(small_checkpoint(3));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(decode_checkpoint(std::span(bytes).first(size)), DataError) << size;
  bytes.push_back(std::byte{0});
  EXPECT_THROW(decode_checkpoint(bytes), DataError);
}

TEST(Checkpoint, IsRefusedWithAnyBitFlipped) {
  const std::vector<std::byte> bytes = encode(small_checkpoint(3));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::vector<std::byte> flipped = bytes;
    flipped[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_THROW(decode_checkpoint(flipped), DataError) << bit;
  }
}

std::string reason(std::span<const std::byte> bytes) {
  try {
    decode_checkpoint(bytes);
  } catch (const DataError& error) {
    return error.what();
  }
  return "none";
}

TEST(Checkpoint, SaysWhatIsWrongWithIt) {
  std::vector<std::byte> bytes = encode(small_checkpoint(3));
  EXPECT_EQ(reason({}), "expected a checkpoint of at least 160 bytes, got 0");
  EXPECT_EQ(reason(std::span(bytes).first(bytes.size() - 1)),
            "expected a checkpoint of " + std::to_string(bytes.size()) + " bytes, got " +
                std::to_string(bytes.size() - 1));
  std::vector<std::byte> other = bytes;
  other[8] = std::byte{2};
  EXPECT_EQ(reason(other), "expected version 1 of the form of checkpoints, got 2");
  other = bytes;
  other[40] ^= std::byte{1};
  EXPECT_EQ(reason(other), "the checkpoint's head is damaged");
  other = bytes;
  other.back() ^= std::byte{1};
  EXPECT_EQ(reason(other), "the checkpoint's section 'clock' is damaged");
  EXPECT_EQ(reason(std::vector<std::byte>(200)), "expected a checkpoint, got something else");
}

}  // namespace
}  // namespace asynprox
