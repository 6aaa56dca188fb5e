#include "asynprox/models/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int number) {
  throw Error(
      fmt::format("{}: cannot be written: {}", path, std::generic_category().message(number)));
}

// A file that is open for writing. Calls that fail throw, naming `path`.
class OpenFile {
 public:
  OpenFile(const std::string& path, int descriptor) : path_(path), descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  // Some file systems say only now that they are full. Those that cannot say answer EINVAL.
  void sync() const {
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(path_, errno);
  }

  void close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0 && errno != EINTR) fail(path_, errno);
  }

 private:
  const std::string& path_;
  int descriptor_;
};

// A name that was free; the file goes away again unless it is kept.
class FileBeside {
 public:
  explicit FileBeside(const std::string& path) : path_(path) {
    for (int attempt = 0; descriptor_ < 0; ++attempt) {
      name_ = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0 && errno != EEXIST) fail(path, errno);
    }
  }
  ~FileBeside() {
    if (!kept_) ::unlink(name_.c_str());
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  int descriptor() const { return descriptor_; }

  void keep() {
    if (::rename(name_.c_str(), path_.c_str()) != 0) fail(path_, errno);
    kept_ = true;
  }

 private:
  const std::string& path_;
  std::string name_;
  int descriptor_ = -1;
  bool kept_ = false;
};

void write_directly(const std::string& path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  OpenFile file(path, descriptor);
  file.write(bytes);
  file.close();
}

void write_beside(const std::string& path, std::string_view bytes) {
  FileBeside beside(path);
  OpenFile file(path, beside.descriptor());
  file.write(bytes);
  file.sync();
  file.close();
  beside.keep();
}

}  // namespace

void write_whole_file(const std::string& path, std::string_view bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool there = fs::exists(status);
  if (there && !fs::is_regular_file(status)) return write_directly(path, bytes);
  // Renaming onto a link would put the file in the link's place.
  if (!there || !fs::is_symlink(path, error)) return write_beside(path, bytes);
  const fs::path target = fs::canonical(path, error);
  if (error) fail(path, error.value());
  write_beside(target.string(), bytes);
}

}  // namespace asynprox
