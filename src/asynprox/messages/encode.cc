#include <bit>

#include "asynprox/messages/byte_writer.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/message_bytes.h"

namespace asynprox {
namespace {

// More than the fields of any message but its lists and texts.
constexpr std::size_t kFixedBytes = 128;

std::size_t bytes_of(const Keys& keys) { return keys.all ? 0 : sizeof(Key) * keys.list.size(); }

std::size_t bytes_of(const Vector& values) { return sizeof(double) * values.size(); }

void add(ByteWriter& writer, const Keys& keys) {
  writer.add_truth(keys.all);
  if (!keys.all) writer.add_list(std::span<const Key>(keys.list));
}

void add(ByteWriter& writer, const Vector& values) {
  writer.add_list(std::span<const double>(values));
}

void add(ByteWriter& writer, const Share& share) {
  writer.add(share.round);
  writer.add(share.number);
  writer.add(share.of);
}

void add(ByteWriter& writer, const Model& model) {
  static const Vector none;
  writer.add(model.version);
  add(writer, model.keys);
  if (model.keys.all)
    add(writer, model.whole ? *model.whole : none);
  else
    add(writer, model.values);
}

}  // namespace

void encode(const Pull& pull, std::vector<std::byte>& frame) {
  ByteWriter writer(frame, kFixedBytes + bytes_of(pull.keys));
  writer.add(pull.worker);
  writer.add(pull.incarnation);
  writer.add(pull.sequence);
  writer.add(pull.round);
  add(writer, pull.keys);
  seal(frame, MessageKind::pull);
}

void encode(const Push& push, std::vector<std::byte>& frame) {
  ByteWriter writer(frame, kFixedBytes + bytes_of(push.keys) + bytes_of(push.values) +
                               bytes_of(push.memory_change) + bytes_of(push.keys_next));
  writer.add(push.id.worker);
  writer.add(push.id.incarnation);
  writer.add(push.id.sequence);
  writer.add(push.version);
  writer.add(push.num_samples);
  add(writer, push.share);
  writer.add_choice(push.memory);
  writer.add_truth(push.repeated);
  writer.add(std::bit_cast<std::uint32_t>(push.compute_seconds));
  add(writer, push.keys);
  add(writer, push.values);
  add(writer, push.memory_change);
  add(writer, push.keys_next);
  seal(frame, MessageKind::push);
}

void encode(const Reply& reply, std::vector<std::byte>& frame) {
  const Model& model = reply.model;
  const std::size_t values = bytes_of(model.keys.all && model.whole ? *model.whole : model.values);
  ByteWriter writer(frame, kFixedBytes + reply.detail.size() +
                               (reply.has_model ? bytes_of(model.keys) + values : 0));
  writer.add(reply.worker);
  writer.add(reply.incarnation);
  writer.add(reply.sequence);
  writer.add(reply.turn);
  add(writer, reply.share);
  writer.add_choice(reply.verdict);
  writer.add_choice(reply.refusal);
  writer.add_text(reply.detail);
  writer.add_truth(reply.has_model);
  if (reply.has_model) add(writer, model);
  seal(frame, MessageKind::reply);
}

}  // namespace asynprox
