#include "asynprox/models/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <span>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/base/new_file.h"

namespace asynprox {
namespace {

namespace fs = std::filesystem;

// A file that is open for writing, until it is closed or an error leaves it.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (descriptor_ < 0 && errno == ENXIO)
      throw Error(path + ": cannot be written: nobody reads this pipe");
    if (descriptor_ < 0) fail_to_write(path, errno);
    // Only opening must not wait: a slow reader is no error.
    const int flags = ::fcntl(descriptor_, F_GETFL);
    if (flags >= 0) ::fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK);
  }
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_to_write(path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0 && errno != EINTR) fail_to_write(path_, errno);
  }

 private:
  const std::string& path_;
  int descriptor_;
};

}  // namespace

void write_whole_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    OpenFile file(path);
    file.write(bytes);
    return file.close();
  }
  // Renaming onto a link would put the file in the link's place.
  NewFile file(fs::exists(status) ? target_of(path) : path);
  file.write_at(0, std::as_bytes(std::span(bytes)));
  file.keep();
}

}  // namespace asynprox
