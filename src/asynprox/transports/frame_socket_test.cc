#include "asynprox/transports/frame_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/messages/frame.h"

namespace asynprox {
namespace {

constexpr std::size_t kDimension = 1000;

using Bytes = std::vector<std::byte>;

Bytes frame_of(std::size_t body_bytes) {
  Bytes frame(kFrameHeadBytes + body_bytes, std::byte{7});
  seal(frame, MessageKind::push);
  return frame;
}

std::string error_of(const FrameSocket& socket) {
  Bytes frame;
  try {
    socket.receive(frame);
  } catch (const DataError& error) {
    return error.what();
  }
  return "none";
}

void send_raw(const FrameSocket& socket, const Bytes& bytes) {
  ASSERT_EQ(::send(socket.descriptor(), bytes.data(), bytes.size(), 0),
            static_cast<ssize_t>(bytes.size()));
}

TEST(FrameSocket, CarriesFramesInTheirOrderBothWays) {
  const auto [one, other] = FrameSocket::connected(kDimension);
  Bytes got;
  for (const std::size_t size : {0, 1, 100, 20'000}) {
    ASSERT_TRUE(one.send(frame_of(size)));
    ASSERT_TRUE(other.send(frame_of(size + 1)));
    ASSERT_TRUE(other.receive(got));
    EXPECT_EQ(got, frame_of(size));
    ASSERT_TRUE(one.receive(got));
    EXPECT_EQ(got, frame_of(size + 1));
  }
}

// Longer than the system's buffer: the sender waits for the receiver.
TEST(FrameSocket, CarriesFramesOfAnyLength) {
  constexpr std::size_t kLarge = 1'000'000;
  const auto [one, other] = FrameSocket::connected(kLarge);
  const Bytes frame = frame_of(8 * kLarge);
  std::thread sender([&socket = one, &frame] { EXPECT_TRUE(socket.send(frame)); });
  Bytes got;
  EXPECT_TRUE(other.receive(got));
  sender.join();
  EXPECT_EQ(got, frame);
}

TEST(FrameSocket, RefusesALengthBeforeItMakesRoom) {
  const auto [one, other] = FrameSocket::connected(kDimension);
  Bytes head = frame_of(0);
  const std::uint64_t huge = std::uint64_t{1} << 62;
  std::memcpy(head.data() + 8, &huge, sizeof(huge));
  send_raw(one, head);
  EXPECT_NE(error_of(other).find("got 4611686018427387904"), std::string::npos);
}

TEST(FrameSocket, RefusesWhatIsNoFrame) {
  const auto [one, other] = FrameSocket::connected(kDimension);
  send_raw(one, Bytes(kFrameHeadBytes, std::byte{'x'}));
  EXPECT_EQ(error_of(other), "message: expected a frame of asynprox, got something else");
}

TEST(FrameSocket, TellsTheEndFromAFrameCutShort) {
  {
    auto [one, other] = FrameSocket::connected(kDimension);
    one.shut();
    Bytes got;
    EXPECT_FALSE(other.receive(got));
    EXPECT_FALSE(other.send(frame_of(1)));
  }
  for (const std::size_t sent : {std::size_t{5}, kFrameHeadBytes + 5}) {
    auto [one, other] = FrameSocket::connected(kDimension);
    Bytes part = frame_of(10);
    part.resize(sent);
    send_raw(one, part);
    one.shut();
    EXPECT_NE(error_of(other), "none") << sent;
  }
}

}  // namespace
}  // namespace asynprox
