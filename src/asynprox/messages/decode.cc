#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/messages/byte_reader.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/message_bytes.h"

namespace asynprox {
namespace {

constexpr int kIntMax = std::numeric_limits<int>::max();

// Counts of pushes, steps and samples: sums of two of them do not overflow.
constexpr std::int64_t kCountMax = std::int64_t{1} << 62;

std::int64_t count(ByteReader& reader, std::string_view field) {
  return reader.number<std::int64_t>(field, 0, kCountMax);
}

int worker(ByteReader& reader) { return reader.number<int>("worker", 0, kMessageWorkersMax - 1); }

int incarnation(ByteReader& reader) { return reader.number<int>("incarnation", 0, kIntMax - 1); }

void read(ByteReader& reader, std::string_view field, std::size_t dimension, Keys& keys) {
  keys.all = reader.truth(field);
  keys.list.clear();
  if (keys.all) return;
  reader.list(field, dimension, keys.list);
  Key largest = 0;
  for (const Key key : keys.list) largest = std::max(largest, key);
  if (!keys.list.empty() && largest >= dimension)
    throw DataError(
        fmt::format("message: {}: expected keys below {}, got {}", field, dimension, largest));
}

Share share(ByteReader& reader) {
  Share share;
  share.round = count(reader, "round");
  share.number = reader.number<int>("share", 0, kMessageWorkersMax - 1);
  share.of = reader.number<int>("shares", share.number + 1, kMessageWorkersMax);
  return share;
}

void read(ByteReader& reader, std::size_t dimension, Model& model, ModelBuffers& buffers) {
  model.version = count(reader, "version");
  read(reader, "keys", dimension, model.keys);
  std::shared_ptr<Vector> whole = model.keys.all ? buffers.take() : nullptr;
  Vector& values = whole ? *whole : model.values;
  reader.list("model", dimension, values);
  if (const std::size_t expected = model.keys.count(dimension); values.size() != expected)
    throw DataError(
        fmt::format("message: model: expected {} values, got {}", expected, values.size()));
  model.whole = std::move(whole);
  if (model.keys.all) model.values.clear();
}

}  // namespace

std::shared_ptr<Vector> ModelBuffers::take() {
  const auto unused = std::ranges::find_if(
      buffers_, [](const std::shared_ptr<Vector>& buffer) { return buffer.use_count() == 1; });
  if (unused != buffers_.end()) return *unused;
  buffers_.push_back(std::make_shared<Vector>());
  return buffers_.back();
}

void decode(std::span<const std::byte> frame, std::size_t dimension, Pull& pull) {
  ByteReader reader(body_of(frame, MessageKind::pull, dimension));
  pull.worker = worker(reader);
  pull.incarnation = incarnation(reader);
  pull.sequence = count(reader, "sequence");
  pull.round = count(reader, "round");
  read(reader, "keys", dimension, pull.keys);
  reader.end();
}

void decode(std::span<const std::byte> frame, std::size_t dimension, Push& push) {
  ByteReader reader(body_of(frame, MessageKind::push, dimension));
  push.id.worker = worker(reader);
  push.id.incarnation = incarnation(reader);
  push.id.sequence = count(reader, "sequence");
  push.version = count(reader, "version");
  push.num_samples = count(reader, "samples");
  push.share = share(reader);
  push.memory = reader.choice("memory", MemoryChange::shard);
  push.repeated = reader.truth("repeated");
  push.compute_seconds = std::bit_cast<float>(
      reader.number<std::uint32_t>("seconds", 0, std::numeric_limits<std::uint32_t>::max()));
  read(reader, "keys", dimension, push.keys);
  reader.list("values", dimension, push.values);
  reader.list("change of memory", dimension, push.memory_change);
  read(reader, "next keys", dimension, push.keys_next);
  reader.end();
}

void decode(std::span<const std::byte> frame, std::size_t dimension, Reply& reply,
            ModelBuffers& buffers) {
  ByteReader reader(body_of(frame, MessageKind::reply, dimension));
  reply.worker = worker(reader);
  // -1: the server has not seen a pull of this worker yet.
  reply.incarnation = reader.number<int>("incarnation", -1, kIntMax - 1);
  reply.sequence = count(reader, "sequence");
  reply.turn = count(reader, "turn");
  reply.share = share(reader);
  reply.verdict = reader.choice("verdict", Verdict::stopped);
  reply.refusal = reader.choice("refusal", static_cast<Refusal>(kNumRefusals - 1));
  reader.text("detail", kMessageTextMax, reply.detail);
  reply.has_model = reader.truth("model");
  reply.model.whole.reset();
  if (reply.has_model) read(reader, dimension, reply.model, buffers);
  reader.end();
}

}  // namespace asynprox
