#include "asynprox/data/readers/input_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

constexpr std::size_t kReadBytes = 1 << 17;

void check_path(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw DataError(fmt::format("{}: no such file", path));
  if (std::filesystem::is_directory(status))
    throw DataError(fmt::format("{}: expected a file, got a directory", path));
}

}  // namespace

void InputStream::CloseArchive::operator()(archive* open) const { archive_read_free(open); }

InputStream::InputStream(const std::string& path)
    : name_(path == "-" ? "standard input" : path), archive_(archive_read_new()) {
  ensure(archive_ != nullptr, "no memory for an archive reader");
  archive* const reader = archive_.get();
  archive_read_support_filter_gzip(reader);
  archive_read_support_filter_bzip2(reader);
  archive_read_support_filter_xz(reader);
  archive_read_support_filter_zstd(reader);
  archive_read_support_format_raw(reader);
  archive_read_support_format_empty(reader);  // raw takes an empty file for an unknown format

  if (path != "-") check_path(path);
  const int opened = path == "-" ? archive_read_open_fd(reader, STDIN_FILENO, kReadBytes)
                                 : archive_read_open_filename(reader, path.c_str(), kReadBytes);
  if (opened != ARCHIVE_OK) fail();
  archive_entry* entry = nullptr;
  const int header = archive_read_next_header(reader, &entry);
  if (header != ARCHIVE_OK && header != ARCHIVE_EOF) fail();
  at_end_ = header == ARCHIVE_EOF;
}

// The last filter is always the plain bytes.
bool InputStream::packed() const { return archive_filter_count(archive_.get()) > 1; }

void InputStream::fail() const {
  const char* const reason = archive_error_string(archive_.get());
  const int number = archive_errno(archive_.get());
  // These two are libarchive's own, and a bad format; the others are the system's, whose words are
  // clearer than libarchive's, which repeat the path.
  const bool of_the_system = number > 0 && number != EINVAL && number != EILSEQ;
  if (of_the_system)
    throw DataError(fmt::format("{}: cannot be read: {}", name_, std::strerror(number)));
  throw DataError(fmt::format("{}: cannot be unpacked, damaged or cut short ({})", name_,
                              reason ? reason : "no more is known"));
}

bool InputStream::next_chunk() {
  if (at_end_) return false;
  const void* bytes = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int status = archive_read_data_block(archive_.get(), &bytes, &size, &offset);
  at_end_ = status == ARCHIVE_EOF;
  if (status < ARCHIVE_OK) fail();
  chunk_ = at_end_ ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
  return !at_end_;
}

std::size_t InputStream::copy_from_chunk(std::span<char> buffer) {
  const std::size_t count = std::min(buffer.size(), chunk_.size());
  std::copy_n(chunk_.begin(), count, buffer.begin());
  chunk_.remove_prefix(count);
  return count;
}

std::size_t InputStream::read(std::span<char> buffer) {
  const std::size_t held = std::min(buffer.size(), peeked_.size());
  std::copy_n(peeked_.begin(), held, buffer.begin());
  peeked_.erase(0, held);

  std::size_t count = held;
  while (count < buffer.size() && !damage_) {
    count += copy_from_chunk(buffer.subspan(count));
    if (count == buffer.size()) break;
    try {
      if (!next_chunk()) break;
    } catch (const DataError&) {
      damage_ = std::current_exception();
    }
  }
  if (damage_ && count == 0 && !buffer.empty()) std::rethrow_exception(damage_);
  return count;
}

std::string_view InputStream::peek(std::size_t size) {
  if (peeked_.size() < size) {
    std::string bytes(size, '\0');
    bytes.resize(read(bytes));
    peeked_ = std::move(bytes);
  }
  return std::string_view(peeked_).substr(0, size);
}

void skip_byte_order_mark(InputStream& stream) {
  std::array<char, 3> mark;
  if (stream.peek(mark.size()) == "\xef\xbb\xbf") stream.read(mark);
}

}  // namespace asynprox
