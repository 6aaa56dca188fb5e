#include "asynprox/messages/frame.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

using Bytes = std::vector<std::byte>;

Bytes frame_of(std::size_t body_bytes) {
  Bytes frame(kFrameHeadBytes + body_bytes);
  for (std::size_t i = 0; i < body_bytes; ++i) frame[kFrameHeadBytes + i] = std::byte(i % 251);
  seal(frame, MessageKind::pull);
  return frame;
}

std::string error_of(const Bytes& frame, std::size_t dimension = 1000) {
  try {
    body_of(frame, MessageKind::pull, dimension);
  } catch (const DataError& error) {
    return error.what();
  }
  return "none";
}

// Blocks of the checksum, and bodies that fill them or do not.
TEST(Frame, HoldsBodiesOfAnyLength) {
  for (std::size_t size = 0; size < 300; ++size) {
    const Bytes frame = frame_of(size);
    EXPECT_EQ(body_of(frame, MessageKind::pull, 1000).size(), size);
  }
}

TEST(Frame, TellsEveryByteThatChanged) {
  for (std::size_t size = 0; size < 200; ++size) {
    Bytes frame = frame_of(size);
    for (std::size_t at = 0; at < frame.size(); ++at) {
      frame[at] ^= std::byte{0x10};
      ASSERT_NE(error_of(frame), "none") << size << " " << at;
      frame[at] ^= std::byte{0x10};
    }
  }
}

TEST(Frame, TellsBodiesOfZerosOfDifferentLengthsApart) {
  Bytes checksums[2];
  for (std::size_t size = 1; size < 200; ++size) {
    Bytes frame(kFrameHeadBytes + size);
    seal(frame, MessageKind::pull);
    const Bytes checksum(frame.begin() + 16, frame.begin() + 24);
    EXPECT_NE(checksum, checksums[0]) << size;
    checksums[0] = checksum;
  }
}

TEST(Frame, RefusesALengthBeforeAnythingIsAllocatedForIt) {
  Bytes frame = frame_of(10);
  const std::uint64_t huge = std::uint64_t{1} << 62;
  std::memcpy(frame.data() + 8, &huge, sizeof(huge));
  EXPECT_EQ(error_of(frame),
            "message: expected a pull of at most 4256 bytes, got 4611686018427387904");
  // A model of another dimension has other messages.
  EXPECT_EQ(error_of(frame_of(300), 10), "message: expected a pull of at most 296 bytes, got 300");
}

TEST(Frame, NamesWhatIsWrongWithAHead) {
  Bytes frame = frame_of(10);
  EXPECT_EQ(error_of({frame.begin(), frame.begin() + 23}),
            "message: expected a head of 24 bytes, got 23");
  EXPECT_EQ(error_of({frame.begin(), frame.end() - 1}),
            "message: expected a pull of 10 bytes, got 9");
  Bytes other = frame;
  other[0] = std::byte{'x'};
  EXPECT_EQ(error_of(other), "message: expected a frame of asynprox, got something else");
  other = frame;
  other[4] = std::byte{9};
  EXPECT_EQ(error_of(other), "message: expected version 1 of the form, got 9");
  other = frame;
  other[6] = std::byte{8};
  EXPECT_EQ(error_of(other), "message: expected a kind from 1 to 7, got 8");
  other = frame;
  other[6] = std::byte{3};
  EXPECT_EQ(error_of(other), "message: expected a pull, got a push");
  other = frame;
  other.back() ^= std::byte{1};
  EXPECT_EQ(error_of(other), "message: the pull was damaged on its way");
}

// The form that version 1 promises: a change of it must change the version.
TEST(Frame, HasTheBytesOfThePage) {
  Bytes frame(kFrameHeadBytes + 1, std::byte{0});
  frame.back() = std::byte{5};
  seal(frame, MessageKind::reply);
  const Bytes expected = {std::byte{'a'}, std::byte{'x'}, std::byte{'p'}, std::byte{'m'},
                          std::byte{1},   std::byte{0},   std::byte{4},   std::byte{0},
                          std::byte{1},   std::byte{0},   std::byte{0},   std::byte{0},
                          std::byte{0},   std::byte{0},   std::byte{0},   std::byte{0}};
  EXPECT_EQ(Bytes(frame.begin(), frame.begin() + 16), expected);
}

}  // namespace
}  // namespace asynprox
