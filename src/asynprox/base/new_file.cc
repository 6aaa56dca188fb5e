#include "asynprox/base/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {

void fail_to_write(const std::string& path, int error_number) {
  throw Error(fmt::format("{}: cannot be written: {}", path,
                          std::generic_category().message(error_number)));
}

std::string target_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (error) fail_to_write(path, error.value());
  return target.string();
}

std::string_view path_of_provisional(std::string_view name) {
  constexpr std::string_view kEnd = ".tmp", kDigits = "0123456789";
  if (!name.ends_with(kEnd)) return {};
  name.remove_suffix(kEnd.size());
  // A number after the character; what stands before both is left in `name`.
  const auto take_number_after = [&](char character) {
    const std::size_t last = name.find_last_not_of(kDigits);
    const bool found =
        last != std::string_view::npos && last + 1 < name.size() && name[last] == character;
    name = found ? name.substr(0, last) : std::string_view();
  };
  take_number_after('-');
  take_number_after('.');
  return name;
}

NewFile::NewFile(const std::string& path) : path_(path) {
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    name_ = fmt::format("{}.{}-{}.tmp", path, ::getpid(), attempt);
    descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) fail_to_write(path, errno);
  }
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

void NewFile::reserve(std::uint64_t size) const {
  if (size == 0 || ::fallocate(descriptor_, 0, 0, static_cast<off_t>(size)) == 0) return;
  if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT) fail_to_write(path_, errno);
}

void NewFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path_, errno);
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void NewFile::finish() {
  if (descriptor_ < 0) return;
  // Some file systems say only now that they are full. Those that cannot say answer EINVAL.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail_to_write(path_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail_to_write(path_, errno);
}

void NewFile::keep() { keep_as(path_); }

void NewFile::keep_as(const std::string& path) {
  finish();
  if (::rename(name_.c_str(), path.c_str()) != 0) fail_to_write(path, errno);
  name_.clear();
}

}  // namespace asynprox
