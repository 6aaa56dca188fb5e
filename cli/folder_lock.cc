#include "cli/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox::cli {
namespace {

bool leads_to(const std::string& path, int descriptor) {
  struct stat named = {}, open = {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

}  // namespace

FolderLock::~FolderLock() { release(); }

void FolderLock::release() {
  held_ = false;
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void FolderLock::lock(const std::string& option, const std::string& path) {
  if (descriptor_ >= 0 && leads_to(path, descriptor_)) return;
  release();
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A folder that may be written to but not read cannot be locked.
  if (descriptor_ < 0) return;
  held_ = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  if (!held_ && errno == EWOULDBLOCK) {
    release();
    throw Error(fmt::format("{}: {} is in use: another run is writing there", option, path));
  }
}

}  // namespace asynprox::cli
