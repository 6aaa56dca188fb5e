#include "cli/claimed_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/base/new_file.h"

#include "cli/lookup.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

ClaimedFolder::ClaimedFolder(std::string path, bool force) : path_(std::move(path)), force_(force) {
  const fs::file_status status = look_up("--out", path_);
  if (!fs::exists(status)) {
    require_no_dangling_link();
    return;
  }
  require(fs::is_directory(status),
          fmt::format("--out: expected a folder, got the file {}", path_));
  lock_.lock("--out", path_);
  require_empty_or_force();
}

void ClaimedFolder::require_no_dangling_link() const {
  std::error_code ignored;
  require(
      !fs::is_symlink(fs::symlink_status(path_, ignored)),
      fmt::format("--out: {} is a link to {}, where there is nothing: make that folder, or remove "
                  "the link",
                  path_, fs::read_symlink(path_, ignored).string()));
}

void ClaimedFolder::require_empty_or_force() const {
  if (force_) return;
  std::error_code error;
  const bool empty = fs::is_empty(path_, error);
  if (error) throw Error(fmt::format("--out: {}: {}", path_, error.message()));
  require(empty, fmt::format("--out: {} is not empty; --force writes there all the same", path_));
}

void ClaimedFolder::claim() {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw Error(fmt::format("--out: {}: {}", path_, error.message()));
  // Another run may have made it, and left its files, since we looked.
  lock_.lock("--out", path_);
  require_empty_or_force();
}

void ClaimedFolder::remove_leftovers(bool (*is_ours)(std::string_view name)) const {
  if (!lock_.held()) return;
  std::error_code ignored;
  for (fs::directory_iterator file(path_, ignored), end; file != end; file.increment(ignored)) {
    const std::string name = file->path().filename().string();
    if (is_ours(path_of_provisional(name))) fs::remove(file->path(), ignored);
  }
}

}  // namespace asynprox::cli
