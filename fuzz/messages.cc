#include <algorithm>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/hello.h"
#include "asynprox/messages/message_bytes.h"
#include "asynprox/messages/notices.h"

#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

constexpr std::size_t kDimension = 16;
constexpr std::size_t kKindPlace = 6;

// Decodes the frame as a message of this kind and encodes what it was, where it was one.
template <class Message, class... Buffers>
void decode_as(Input frame, Buffers&... buffers) {
  static Message message;
  static std::vector<std::byte> again;
  try {
    if constexpr (std::is_same_v<Message, Hello> || std::is_same_v<Message, Assignment> ||
                  std::is_same_v<Message, Failure> || std::is_same_v<Message, Sign>)
      decode(frame, message);
    else
      decode(frame, kDimension, message, buffers...);
  } catch (const DataError&) {
    return;
  }
  encode(message, again);
  ensure(std::ranges::equal(again, frame), "a message is not written as it was read");
}

void decode_any(Input frame) {
  static ModelBuffers buffers;
  if (frame.size() <= kKindPlace) return decode_as<Pull>(frame);
  switch (static_cast<MessageKind>(frame[kKindPlace])) {
    case MessageKind::hello: return decode_as<Hello>(frame);
    case MessageKind::pull: return decode_as<Pull>(frame);
    case MessageKind::push: return decode_as<Push>(frame);
    case MessageKind::reply: return decode_as<Reply>(frame, buffers);
    case MessageKind::assignment: return decode_as<Assignment>(frame);
    case MessageKind::failure: return decode_as<Failure>(frame);
    case MessageKind::sign: return decode_as<Sign>(frame);
  }
  decode_as<Pull>(frame);
}

}  // namespace

void fuzz_messages(Input input) {
  decode_any(input);
  if (input.size() < kFrameHeadBytes) return;
  // With a head that is right, since no mutation finds a checksum.
  constexpr int kKinds = static_cast<int>(kLastMessageKind);
  static std::vector<std::byte> sealed;
  sealed.assign(input.begin(), input.end());
  seal(sealed, static_cast<MessageKind>(1 + static_cast<int>(input[kKindPlace]) % kKinds));
  decode_any(sealed);
}

}  // namespace asynprox::fuzz
