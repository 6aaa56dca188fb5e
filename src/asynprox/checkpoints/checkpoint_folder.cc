#include "asynprox/checkpoints/checkpoint_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/base/new_file.h"
#include "asynprox/base/regular_file.h"

namespace asynprox {
namespace {

namespace fs = std::filesystem;

// Waits until the disk has the folder's list of files. Those that cannot say answer EINVAL.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail_to_write(folder, errno);
  const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  if (error != 0) fail_to_write(folder, error);
}

std::vector<std::byte> bytes_in(const std::string& path) {
  const File file = open_regular_file(path);
  std::vector<std::byte> bytes(fs::file_size(path));
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) throw DataError("it cannot be read");
  return bytes;
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

std::string path_of(const std::string& folder, const char* name) {
  return (fs::path(folder) / name).string();
}

}  // namespace

void CheckpointFolder::save(Checkpoint& checkpoint) {
  checkpoint.generation = generation_;
  NewFile file(path_of(folder_, kCheckpointFiles[generation_ % kCheckpointFiles.size()]));
  const std::vector<std::byte> bytes = encode(checkpoint);
  file.reserve(bytes.size());
  file.write_at(0, bytes);
  file.keep();
  ++generation_;
  sync_folder(folder_);
}

void remove_checkpoints(const std::string& folder) {
  std::error_code ignored;
  for (const char* name : kCheckpointFiles) fs::remove(fs::path(folder) / name, ignored);
}

Checkpoint read_checkpoint(const std::string& path) {
  try {
    return decode_checkpoint(bytes_in(path));
  } catch (const Error& error) {
    const std::string reason = error.what();
    throw DataError(reason.starts_with(path) ? reason : fmt::format("{}: {}", path, reason));
  } catch (const fs::filesystem_error& error) {
    throw DataError(fmt::format("{}: {}", path, error.code().message()));
  }
}

FoundCheckpoint newest_checkpoint(const std::string& folder) {
  std::optional<FoundCheckpoint> newest;
  std::string damaged;
  for (const char* name : kCheckpointFiles) {
    const std::string path = path_of(folder, name);
    if (!is_there(path)) continue;
    try {
      Checkpoint checkpoint = read_checkpoint(path);
      if (!newest || newest->checkpoint.generation < checkpoint.generation)
        newest = FoundCheckpoint{.path = path, .checkpoint = std::move(checkpoint)};
    } catch (const DataError& error) {
      damaged += (damaged.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (newest) {
    newest->damaged = damaged;
    return std::move(*newest);
  }
  if (!damaged.empty()) throw DataError(damaged);
  throw DataError(fmt::format(
      "{}: expected the folder of a run with checkpoints, got none there (checkpoint.0 or "
      "checkpoint.1); --checkpoint-every leaves them",
      folder));
}

}  // namespace asynprox
