#include "asynprox/base/regular_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

[[noreturn]] void fail(const std::string& path, int error_number) {
  throw DataError(fmt::format("{}: {}", path, std::generic_category().message(error_number)));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "folder";
  if (S_ISFIFO(mode)) return "pipe";
  return S_ISSOCK(mode) ? "socket" : "device";
}

void require_regular(const std::string& path, mode_t mode) {
  if (!S_ISREG(mode))
    throw DataError(fmt::format("{}: expected an ordinary file, got a {}", path, kind_of(mode)));
}

}  // namespace

File open_regular_file(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) fail(path, errno);
  require_regular(path, status.st_mode);
  // It may have become something else since: then opening must not wait either.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  File file(::fdopen(descriptor, "rb"));
  if (!file) {
    const int error_number = errno;
    ::close(descriptor);
    fail(path, error_number);
  }
  if (::fstat(descriptor, &status) != 0) fail(path, errno);
  require_regular(path, status.st_mode);
  return file;
}

}  // namespace asynprox
