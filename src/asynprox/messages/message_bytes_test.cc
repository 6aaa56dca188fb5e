// The laws of messages as bytes: what is read is what was written, and whatever else comes is
// refused or is a message too.
#include "asynprox/messages/message_bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/hello.h"
#include "asynprox/messages/messages_testing.h"

namespace asynprox {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kDimension = 20;
constexpr int kMessages = 500;

// One kind of message: drawn, written and read alike by every law.
struct PullKind {
  using Message = Pull;
  static Message draw(RandomMessages& random) { return random.pull(); }
  static void read(std::span<const std::byte> frame, Message& message) {
    decode(frame, kDimension, message);
  }
};
struct PushKind {
  using Message = Push;
  static Message draw(RandomMessages& random) { return random.push(); }
  static void read(std::span<const std::byte> frame, Message& message) {
    decode(frame, kDimension, message);
  }
};
struct ReplyKind {
  using Message = Reply;
  static Message draw(RandomMessages& random) { return random.reply(); }
  static void read(std::span<const std::byte> frame, Message& message) {
    ModelBuffers buffers;
    decode(frame, kDimension, message, buffers);
  }
};
struct HelloKind {
  using Message = Hello;
  static Message draw(RandomMessages& random) { return random.hello(); }
  static void read(std::span<const std::byte> frame, Message& message) { decode(frame, message); }
};

template <class Kind>
class MessageLaws : public ::testing::Test {
 public:
  using Message = typename Kind::Message;

  // Whether the frame was read; what was then is written as the frame again.
  bool reads(const Bytes& frame) {
    try {
      Kind::read(frame, message_);
    } catch (const DataError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("message: ")) << error.what();
      return false;
    }
    Bytes again;
    encode(message_, again);
    EXPECT_EQ(again, frame);
    return true;
  }

 private:
  Message message_;
};

using Kinds = ::testing::Types<PullKind, PushKind, ReplyKind, HelloKind>;
TYPED_TEST_SUITE(MessageLaws, Kinds);

TYPED_TEST(MessageLaws, WhatIsReadIsWhatWasWritten) {
  RandomMessages random(1, kDimension);
  // One buffer and one message for all of them: nothing of a message is left for the next.
  Bytes frame;
  typename TypeParam::Message read;
  for (int i = 0; i < kMessages; ++i) {
    const auto message = TypeParam::draw(random);
    encode(message, frame);
    TypeParam::read(frame, read);
    ASSERT_TRUE(same(message, read)) << i;
  }
}

TYPED_TEST(MessageLaws, EveryFrameThatIsCutShortIsRefused) {
  RandomMessages random(2, kDimension);
  for (int i = 0; i < 50; ++i) {
    Bytes frame;
    encode(TypeParam::draw(random), frame);
    for (std::size_t size = 0; size < frame.size(); ++size)
      ASSERT_FALSE(this->reads({frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)}));
    frame.push_back(std::byte{0});
    ASSERT_FALSE(this->reads(frame));
  }
}

// A body that is cut short under a head that is right.
TYPED_TEST(MessageLaws, EveryBodyThatIsCutShortIsRefused) {
  RandomMessages random(3, kDimension);
  for (int i = 0; i < 50; ++i) {
    Bytes frame;
    encode(TypeParam::draw(random), frame);
    const auto kind = static_cast<MessageKind>(frame[6]);
    for (std::size_t size = kFrameHeadBytes; size < frame.size(); ++size) {
      Bytes shorter(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size));
      seal(shorter, kind);
      ASSERT_FALSE(this->reads(shorter));
    }
    frame.push_back(std::byte{0});
    seal(frame, kind);
    ASSERT_FALSE(this->reads(frame));
  }
}

TYPED_TEST(MessageLaws, TheChecksumFindsEveryFlippedBit) {
  RandomMessages random(4, kDimension);
  for (int flip = 0; flip < 10'000; ++flip) {
    Bytes frame;
    encode(TypeParam::draw(random), frame);
    const std::uint64_t bit = random.below(8 * frame.size());
    frame[bit / 8] ^= std::byte{1} << bit % 8;
    ASSERT_FALSE(this->reads(frame)) << "bit " << bit;
  }
}

TYPED_TEST(MessageLaws, FlippedBitsUnderARightChecksumMakeAMessageOrAreRefused) {
  RandomMessages random(5, kDimension);
  int read = 0;
  for (int flip = 0; flip < 10'000; ++flip) {
    Bytes frame;
    encode(TypeParam::draw(random), frame);
    const auto kind = static_cast<MessageKind>(frame[6]);
    const std::uint64_t bit =
        8 * kFrameHeadBytes + random.below(8 * (frame.size() - kFrameHeadBytes));
    frame[bit / 8] ^= std::byte{1} << bit % 8;
    seal(frame, kind);
    read += this->reads(frame) ? 1 : 0;
  }
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 10'000);
}

TYPED_TEST(MessageLaws, FramesOfOtherKindsAreRefused) {
  RandomMessages random(6, kDimension);
  Bytes frame;
  encode(TypeParam::draw(random), frame);
  const auto own = static_cast<std::uint8_t>(frame[6]);
  for (std::uint8_t kind = 1; kind <= 4; ++kind) {
    seal(frame, static_cast<MessageKind>(kind));
    typename TypeParam::Message message;
    if (kind == own)
      EXPECT_NO_THROW(TypeParam::read(frame, message));
    else
      EXPECT_THROW(TypeParam::read(frame, message), DataError);
  }
}

TEST(PushBytes, AreThoseOfThePage) {
  // docs/messages.md: 24 of the head and 72 of fixed fields, 8 more for each count of a list of keys, then
  // 8 a value, 4 a key.
  Bytes frame;
  const auto size_of = [&](std::size_t nonzeros, std::size_t next) {
    Push push;
    push.keys = Keys::only(std::vector<Key>(nonzeros));
    push.values = Vector(nonzeros);
    push.keys_next = Keys::only(std::vector<Key>(next));
    encode(push, frame);
    return frame.size();
  };
  for (const std::size_t nonzeros : {0, 1, 10, 1000})
    for (const std::size_t next : {0, 7, 1000})
      EXPECT_EQ(size_of(nonzeros, next), 112 + 12 * nonzeros + 4 * next);
  for (const std::size_t dimension : {1, 100, 10'000}) {
    Push push;
    push.values = Vector(dimension);
    encode(push, frame);
    EXPECT_EQ(frame.size(), 96 + 8 * dimension);
  }
}

TEST(MessageBytes, NameWhatIsWrong) {
  const auto error_of = [](const Pull& pull) -> std::string {
    Bytes frame;
    encode(pull, frame);
    Pull read;
    try {
      decode(frame, kDimension, read);
    } catch (const DataError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of({.worker = -1}), "message: worker: expected 0 to 65535, got -1");
  EXPECT_EQ(error_of({.keys = Keys::only({19, 20})}),
            "message: keys: expected keys below 20, got 20");
  EXPECT_EQ(error_of({.keys = Keys::only(std::vector<Key>(21))}),
            "message: keys: expected 0 to 20, got 21");
}

TEST(MessageBytes, CutLongDetails) {
  Reply reply, read;
  reply.detail = std::string(2 * kMessageTextMax, 'x');
  Bytes frame;
  encode(reply, frame);
  ModelBuffers buffers;
  decode(frame, kDimension, read, buffers);
  EXPECT_EQ(read.detail, reply.detail.substr(0, kMessageTextMax));
}

}  // namespace
}  // namespace asynprox
