#include "asynprox/messages/frame.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/chunk_hash.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {
namespace {

constexpr std::uint32_t kMagic = 0x6d707861;
constexpr std::size_t kChecksumPlace = 16;

struct RawHead {
  std::uint32_t magic = kMagic;
  std::uint16_t version = kMessageVersion;
  std::uint8_t kind = 0;
  std::uint8_t zero = 0;
  std::uint64_t body_bytes = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(RawHead) == kFrameHeadBytes);

// Whole blocks of the body first; what is left, and the head without its checksum, fill the last.
std::uint64_t checksum_of(std::span<const std::byte> frame) {
  const auto body = frame.subspan(kFrameHeadBytes);
  constexpr std::size_t kTailBytes = kHashBlock - kChecksumPlace;
  const std::size_t whole = body.size() / kHashBlock * kHashBlock;
  std::array<std::byte, 2 * kHashBlock> last = {};
  std::memcpy(last.data(), frame.data(), kChecksumPlace);
  const std::size_t rest = body.size() - whole;
  if (rest > 0) std::memcpy(last.data() + kChecksumPlace, body.data() + whole, rest);
  const std::uint64_t before = whole > 0 ? chunk_hash(body.first(whole), body.size()) : body.size();
  return chunk_hash(std::span(last).first(rest <= kTailBytes ? kHashBlock : 2 * kHashBlock),
                    before);
}

const char* name_of(MessageKind kind) {
  switch (kind) {
    case MessageKind::hello: return "hello";
    case MessageKind::pull: return "pull";
    case MessageKind::push: return "push";
    case MessageKind::reply: return "reply";
    case MessageKind::assignment: return "assignment";
    case MessageKind::failure: return "failure";
    case MessageKind::sign: return "sign";
  }
  return nullptr;
}

}  // namespace

std::size_t body_bytes_max(MessageKind kind, std::size_t dimension) {
  // Of the fields of any message but its lists and texts.
  constexpr std::size_t kFixed = 256;
  const std::size_t keys = sizeof(Key) * dimension, values = sizeof(double) * dimension;
  switch (kind) {
    case MessageKind::hello: return kFixed + 3 * kMessageTextMax;
    case MessageKind::pull: return kFixed + keys;
    case MessageKind::push: return kFixed + 2 * keys + 2 * values;
    case MessageKind::reply: return kFixed + kMessageTextMax + keys + values;
    case MessageKind::assignment: return kFixed + kMessageTextMax + 2 * kAssignmentTextMax;
    case MessageKind::failure: return kFixed + kMessageTextMax;
    case MessageKind::sign: return 1;
  }
  return 0;
}

FrameHead read_head(std::span<const std::byte> head, std::size_t dimension) {
  RawHead raw;
  if (head.size() < sizeof(raw))
    throw DataError(
        fmt::format("message: expected a head of {} bytes, got {}", sizeof(raw), head.size()));
  std::memcpy(&raw, head.data(), sizeof(raw));
  if (raw.magic != kMagic || raw.zero != 0)
    throw DataError("message: expected a frame of asynprox, got something else");
  if (raw.version != kMessageVersion)
    throw DataError(fmt::format("message: expected version {} of the form, got {}", kMessageVersion,
                                raw.version));
  const auto kind = static_cast<MessageKind>(raw.kind);
  if (!name_of(kind))
    throw DataError(fmt::format("message: expected a kind from 1 to {}, got {}",
                                static_cast<int>(kLastMessageKind), raw.kind));
  if (raw.body_bytes > body_bytes_max(kind, dimension))
    throw DataError(fmt::format("message: expected a {} of at most {} bytes, got {}", name_of(kind),
                                body_bytes_max(kind, dimension), raw.body_bytes));
  return {.kind = kind, .body_bytes = raw.body_bytes};
}

std::span<const std::byte> body_of(std::span<const std::byte> frame, MessageKind expected,
                                   std::size_t dimension) {
  const FrameHead head = read_head(frame, dimension);
  if (head.kind != expected)
    throw DataError(
        fmt::format("message: expected a {}, got a {}", name_of(expected), name_of(head.kind)));
  const auto body = frame.subspan(kFrameHeadBytes);
  if (body.size() != head.body_bytes)
    throw DataError(fmt::format("message: expected a {} of {} bytes, got {}", name_of(expected),
                                head.body_bytes, body.size()));
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, frame.data() + kChecksumPlace, sizeof(checksum));
  if (checksum != checksum_of(frame))
    throw DataError(fmt::format("message: the {} was damaged on its way", name_of(expected)));
  return body;
}

void seal(std::vector<std::byte>& frame, MessageKind kind) {
  ensure(frame.size() >= kFrameHeadBytes, "a frame without a head");
  RawHead raw;
  raw.kind = static_cast<std::uint8_t>(kind);
  raw.body_bytes = frame.size() - kFrameHeadBytes;
  std::memcpy(frame.data(), &raw, sizeof(raw));
  raw.checksum = checksum_of(frame);
  std::memcpy(frame.data(), &raw, sizeof(raw));
}

}  // namespace asynprox
