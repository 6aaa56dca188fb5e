// What is said beside the messages of Algorithm 1: what is to be done, that a side is alive or ends, and
// what went wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace asynprox {

// From the server, first of all: the run that the workers are to take part in.
struct Assignment {
  std::string version;  // of asynprox; where it differs, the texts may mean something else
  std::string problem;  // JSON, see run/json.h
  std::string plan;     // the same
  bool operator==(const Assignment&) const = default;
};

// Whose mistake it was.
enum class FailureKind : std::uint8_t {
  contract,  // of the caller: see base/errors.h
  data,      // a file cannot be used
  other,
};

// Its sender ends, for this reason.
struct Failure {
  FailureKind kind = FailureKind::other;
  std::string detail;  // at most kMessageTextMax bytes; longer ones are cut
  bool operator==(const Failure&) const = default;
};

enum class Sign : std::uint8_t {
  alive,     // the sender is there, even if it has had nothing else to say for a while
  farewell,  // it was interrupted, and takes part no more
};

// ContractError for a problem or a plan of more than kAssignmentTextMax bytes.
void encode(const Assignment& assignment, std::vector<std::byte>& frame);
void encode(const Failure& failure, std::vector<std::byte>& frame);
void encode(Sign sign, std::vector<std::byte>& frame);

// DataError for a frame that encode() does not write.
void decode(std::span<const std::byte> frame, Assignment& assignment);
void decode(std::span<const std::byte> frame, Failure& failure);
void decode(std::span<const std::byte> frame, Sign& sign);

}  // namespace asynprox
