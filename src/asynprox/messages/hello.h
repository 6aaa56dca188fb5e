// The first message in each direction: who is there, and whether both sides mean the same run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace asynprox {

// The texts are of at most kMessageTextMax bytes.
struct Hello {
  std::string version;           // of asynprox
  std::uint64_t plan_hash = 0;   // of the JSON of the plan
  std::string data_fingerprint;  // see data/fingerprint.h
  std::uint64_t dimension = 0;   // d, of the model
  std::string build;             // compiler, flags and vector instructions
  bool operator==(const Hello&) const = default;
};

// What keeps the two from working together, in words: the first field that differs, in the order
// above. Empty: nothing does. Builds may differ; their results then may, too.
std::string disagreement(const Hello& ours, const Hello& theirs);

void encode(const Hello& hello, std::vector<std::byte>& frame);

// DataError for a frame that encode() does not write.
void decode(std::span<const std::byte> frame, Hello& hello);

}  // namespace asynprox
