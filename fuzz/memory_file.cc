#include "fuzz/memory_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "asynprox/base/errors.h"

namespace asynprox::fuzz {

const std::string& memory_file(std::span<const std::byte> bytes) {
  static const int descriptor = ::memfd_create("fuzz input", MFD_CLOEXEC);
  static const std::string path = fmt::format("/proc/self/fd/{}", descriptor);
  ensure(descriptor >= 0, "no file in memory");
  const bool written =
      ::ftruncate(descriptor, 0) == 0 &&
      ::pwrite(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
  ensure(written, "a file in memory cannot be written");
  return path;
}

}  // namespace asynprox::fuzz
