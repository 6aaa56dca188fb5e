#include "asynprox/data/binary/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw DataError(
      fmt::format("{}: cannot be read: {}", path, std::generic_category().message(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) fail(path);
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// The smallest limit that stands in the file `name` of a control group or of one above it.
std::uint64_t limit_of(const std::string& root, std::string group, const char* name) {
  std::uint64_t limit = UINT64_MAX;
  for (;;) {
    std::uint64_t number = 0;
    if (std::ifstream(root + group + "/" + name) >> number) limit = std::min(limit, number);
    if (group.empty()) return limit;
    group.resize(group.find_last_of('/'));
  }
}

// Lines of /proc/self/cgroup are number:controllers:path; version 2 has the number 0.
std::uint64_t control_group_limit() {
  std::ifstream groups("/proc/self/cgroup");
  std::uint64_t limit = UINT64_MAX;
  for (std::string line; std::getline(groups, line);) {
    const std::size_t path = line.find(":/");
    if (path == std::string::npos) continue;
    const std::string group = line.substr(path + 1);
    if (line.starts_with("0::"))
      limit = std::min(limit, limit_of("/sys/fs/cgroup", group, "memory.max"));
    else if (line.substr(0, path).ends_with(":memory"))
      limit = std::min(limit, limit_of("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return limit;
}

}  // namespace

MappedFile map_file(const std::string& path) {
  const Descriptor file(path);
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) fail(path);
  if (!S_ISREG(status.st_mode))
    throw DataError(fmt::format("{}: expected an ordinary file, to be mapped", path));
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (start == MAP_FAILED) fail(path);
  return {{static_cast<const std::byte*>(start), size},
          std::shared_ptr<const void>(start, [size](void* address) { ::munmap(address, size); })};
}

void expect_random_reads(std::span<const std::byte> bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t into_page = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  // Only advice: what the system says to it does not matter.
  ::madvise(const_cast<std::byte*>(bytes.data()) - into_page, bytes.size() + into_page,
            MADV_RANDOM);
}

std::uint64_t memory_size() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min(pages * page, control_group_limit());
}

}  // namespace asynprox
