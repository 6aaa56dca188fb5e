#include "asynprox/messages/notices.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/messages/byte_reader.h"
#include "asynprox/messages/byte_writer.h"
#include "asynprox/messages/frame.h"

namespace asynprox {
namespace {

void require_short(const char* field, const std::string& text) {
  require(text.size() <= kAssignmentTextMax,
          fmt::format("assignment: {}: expected at most {} bytes, got {}", field,
                      kAssignmentTextMax, text.size()));
}

}  // namespace

void encode(const Assignment& assignment, std::vector<std::byte>& frame) {
  require_short("problem", assignment.problem);
  require_short("plan", assignment.plan);
  ByteWriter writer(
      frame, 24 + assignment.version.size() + assignment.problem.size() + assignment.plan.size());
  writer.add_text(assignment.version);
  writer.add_text(assignment.problem, kAssignmentTextMax);
  writer.add_text(assignment.plan, kAssignmentTextMax);
  seal(frame, MessageKind::assignment);
}

void decode(std::span<const std::byte> frame, Assignment& assignment) {
  ByteReader reader(body_of(frame, MessageKind::assignment, 0));
  reader.text("version", kMessageTextMax, assignment.version);
  reader.text("problem", kAssignmentTextMax, assignment.problem);
  reader.text("plan", kAssignmentTextMax, assignment.plan);
  reader.end();
}

void encode(const Failure& failure, std::vector<std::byte>& frame) {
  ByteWriter writer(frame, 16 + failure.detail.size());
  writer.add_choice(failure.kind);
  writer.add_text(failure.detail);
  seal(frame, MessageKind::failure);
}

void decode(std::span<const std::byte> frame, Failure& failure) {
  ByteReader reader(body_of(frame, MessageKind::failure, 0));
  failure.kind = reader.choice("kind of failure", FailureKind::other);
  reader.text("detail", kMessageTextMax, failure.detail);
  reader.end();
}

void encode(Sign sign, std::vector<std::byte>& frame) {
  ByteWriter writer(frame, 1);
  writer.add_choice(sign);
  seal(frame, MessageKind::sign);
}

void decode(std::span<const std::byte> frame, Sign& sign) {
  ByteReader reader(body_of(frame, MessageKind::sign, 0));
  sign = reader.choice("sign", Sign::farewell);
  reader.end();
}

}  // namespace asynprox
