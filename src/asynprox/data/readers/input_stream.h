// A file's bytes, one after another, unpacked on the way: plain, gzip, bzip2, xz or zstd, told
// apart by content. "-" is standard input.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct archive;

namespace asynprox {

class InputStream {
 public:
  // Throws DataError, naming the path, for a file that is not there or cannot be read.
  explicit InputStream(const std::string& path);

  // The path, for messages; "standard input" for "-".
  const std::string& name() const { return name_; }

  // Whether its bytes are unpacked on the way.
  bool packed() const;

  // Fills `buffer`; the count of bytes is smaller than it only at the end. Damage in the file
  // (truncated, corrupt) is a DataError, thrown only after all bytes before it have been given.
  std::size_t read(std::span<char> buffer);

  // The next bytes, at most `size` (fewer only at the end), which stay to be read.
  std::string_view peek(std::size_t size);

 private:
  struct CloseArchive {
    void operator()(archive* open) const;
  };

  std::size_t copy_from_chunk(std::span<char> buffer);
  bool next_chunk();
  [[noreturn]] void fail() const;

  std::string name_;
  std::unique_ptr<archive, CloseArchive> archive_;
  std::string_view chunk_;  // unpacked by the archive, valid until the next chunk
  std::string peeked_;      // comes before the chunk
  std::exception_ptr damage_;
  bool at_end_ = false;
};

// A UTF-8 byte order mark, if the stream begins with one, is read and dropped.
void skip_byte_order_mark(InputStream& stream);

}  // namespace asynprox
