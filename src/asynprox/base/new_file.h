// A file that appears whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace asynprox {

// Written beside `path` under a name of its own, which goes away again unless keep() renames it.
// All throw Error, "<path>: cannot be written: <reason>", for a full disk too.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  // Asks for room now, so that a disk that is too small says so before the work. Where the file
  // system cannot tell, nothing happens.
  void reserve(std::uint64_t size) const;

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;

  // Waits until the disk has all of it. Nothing is written afterwards.
  void finish();

  // Finishes it and gives it its name: whoever reads `path` finds the old bytes or the new ones.
  void keep();

  // The same under another name in the same folder.
  void keep_as(const std::string& path);

 private:
  std::string path_;
  std::string name_;
  int descriptor_ = -1;
};

[[noreturn]] void fail_to_write(const std::string& path, int error_number);

// The path that a file of such a provisional name was to become; empty if the name is not of one.
std::string_view path_of_provisional(std::string_view name);

// Where renaming to `path` puts a file: a link to a file is followed.
std::string target_of(const std::string& path);

}  // namespace asynprox
