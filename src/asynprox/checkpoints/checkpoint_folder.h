// The checkpoints in the folder of a run: the newest and the one before it, so that one good one is there
// at every moment, whatever happens while another is written.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asynprox/checkpoints/checkpoint.h"

namespace asynprox {

// Generation g is in file g mod 2.
inline constexpr std::array<const char*, 2> kCheckpointFiles = {"checkpoint.0", "checkpoint.1"};

class CheckpointFolder {
 public:
  // The first checkpoint saved has this generation.
  explicit CheckpointFolder(std::string folder, std::uint64_t generation = 0)
      : folder_(std::move(folder)), generation_(generation) {}

  // Sets its generation, writes it under another name, waits until the disk has it, and puts it in place
  // of the older of the two. Throws Error, "<path>: cannot be written: <reason>"; both are then as they
  // were.
  void save(Checkpoint& checkpoint);

 private:
  std::string folder_;
  std::uint64_t generation_;
};

// Removes the checkpoints in the folder, if any.
void remove_checkpoints(const std::string& folder);

struct FoundCheckpoint {
  std::string path;
  Checkpoint checkpoint;
  // "<path>: <reason>", of a file that is there and cannot be used: this one was taken instead.
  std::string damaged = {};
};

// The newest good one in the folder. DataError where there is none, with the reason per file.
FoundCheckpoint newest_checkpoint(const std::string& folder);

// DataError, "<path>: <reason>".
Checkpoint read_checkpoint(const std::string& path);

}  // namespace asynprox
