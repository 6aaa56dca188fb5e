#include "asynprox/messages/hello.h"

#include <fmt/format.h>

#include <limits>

#include "asynprox/messages/byte_reader.h"
#include "asynprox/messages/byte_writer.h"
#include "asynprox/messages/frame.h"

namespace asynprox {

std::string disagreement(const Hello& ours, const Hello& theirs) {
  const auto differ = [](const char* what, const auto& expected, const auto& got) {
    return fmt::format("{}: expected {}, got {}", what, expected, got);
  };
  if (ours.version != theirs.version) return differ("asynprox", ours.version, theirs.version);
  if (ours.plan_hash != theirs.plan_hash)
    return fmt::format("plan: expected hash {:016x}, got {:016x}", ours.plan_hash,
                       theirs.plan_hash);
  if (ours.data_fingerprint != theirs.data_fingerprint)
    return differ("data: fingerprint", ours.data_fingerprint, theirs.data_fingerprint);
  if (ours.dimension != theirs.dimension)
    return differ("dimension", ours.dimension, theirs.dimension);
  return "";
}

void encode(const Hello& hello, std::vector<std::byte>& frame) {
  ByteWriter writer(frame, body_bytes_max(MessageKind::hello, 0));
  writer.add_text(hello.version);
  writer.add(hello.plan_hash);
  writer.add_text(hello.data_fingerprint);
  writer.add(hello.dimension);
  writer.add_text(hello.build);
  seal(frame, MessageKind::hello);
}

void decode(std::span<const std::byte> frame, Hello& hello) {
  ByteReader reader(body_of(frame, MessageKind::hello, 0));
  reader.text("version", kMessageTextMax, hello.version);
  hello.plan_hash = reader.word("plan hash");
  reader.text("data fingerprint", kMessageTextMax, hello.data_fingerprint);
  hello.dimension = reader.word("dimension");
  reader.text("build", kMessageTextMax, hello.build);
  reader.end();
}

}  // namespace asynprox
