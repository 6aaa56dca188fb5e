// A checkpoint as bytes. All numbers are little-endian.
//
//     0  8 bytes  "axpckpt" and a line feed
//     8  u32      version of the form
//    12  u32      number of sections, 6
//    16  u64      bytes in all
//    24  u64      generation: each checkpoint of a run has one more than the one before
//    32  u64      hash of the plan
//    40  u64      steps taken
//    48  u64      events recorded
//    56  u64      checksum of the 56 bytes before it and of the table
//    64           the table: per section its bytes and their checksum, u64 each
//   160           the sections: who wrote it (version, build and data fingerprint), the run, the session,
//                 the workers, the messages, the clock
//
// Every bit of it is under a checksum, that of the chunks of binary files (data/binary/chunk_hash.h). It
// finds damage; it is no protection against forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asynprox/checkpoints/run_state.h"

namespace asynprox {

inline constexpr std::uint32_t kCheckpointVersion = 1;

struct Checkpoint {
  std::uint64_t generation = 0;
  std::uint64_t plan_hash = 0;  // see hash_of_text()
  std::string version = {};     // of asynprox
  std::string build = {};       // what the last bits depend on: compiler, vector instructions, ...
  std::string data_fingerprint = {};  // see data/fingerprint.h
  std::string run = {};               // what makes the run again, in a form of the writer's
  RunState state = {};
};

std::uint64_t hash_of_text(std::string_view text);

std::vector<std::byte> encode(const Checkpoint& checkpoint);

// DataError for what encode() does not write: another form, or damage. No count is trusted: a length
// that is more than there is left is refused before anything is allocated.
Checkpoint decode_checkpoint(std::span<const std::byte> bytes);

}  // namespace asynprox
