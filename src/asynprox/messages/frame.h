// The frame around a message that travels as bytes. All numbers are little-endian.
//
//    0  u32  0x6d707861, the letters axpm
//    4  u16  version of the form
//    6  u8   kind of the message
//    7  u8   0
//    8  u64  bytes of the body
//   16  u64  checksum of the 16 bytes before it and of the body
//   24       the body
//
// Whoever receives from a stream reads the head first. read_head() refuses a body that is longer
// than the longest message of that kind to a model of this dimension, so that nobody allocates more
// than that for a damaged or hostile head.
//
// The checksum finds damage; it is no protection against forgery. It is that of the chunks of
// binary files (data/binary/chunk_hash.h), where docs/decisions/0017-messages-as-bytes.md says why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace asynprox {

enum class MessageKind : std::uint8_t {
  hello = 1,
  pull = 2,
  push = 3,
  reply = 4,
  assignment = 5,
  failure = 6,
  sign = 7
};
inline constexpr MessageKind kLastMessageKind = MessageKind::sign;

inline constexpr std::size_t kFrameHeadBytes = 24;
inline constexpr std::uint16_t kMessageVersion = 1;

// Of the worker numbers: the server keeps a slot for every number up to the largest.
inline constexpr int kMessageWorkersMax = 1 << 16;
// Of a text in a message, in bytes; longer ones are cut.
inline constexpr std::size_t kMessageTextMax = 1024;
// Of the problem and of the plan in an assignment, in bytes.
inline constexpr std::size_t kAssignmentTextMax = std::size_t{1} << 24;

struct FrameHead {
  MessageKind kind = MessageKind::hello;
  std::size_t body_bytes = 0;
};

// Of the first kFrameHeadBytes bytes of a frame. DataError: not a frame, another version, an unknown
// kind, or a body longer than any message of the kind is where models have this dimension.
FrameHead read_head(std::span<const std::byte> head, std::size_t dimension);

// The longest body of a message of this kind.
std::size_t body_bytes_max(MessageKind kind, std::size_t dimension);

// The body of a whole frame. DataError: what read_head() refuses, another kind than `expected`, more
// or fewer bytes than the head says, or a wrong checksum.
std::span<const std::byte> body_of(std::span<const std::byte> frame, MessageKind expected,
                                   std::size_t dimension);

// In place: fills in the head of a frame whose body is already behind it.
void seal(std::vector<std::byte>& frame, MessageKind kind);

}  // namespace asynprox
