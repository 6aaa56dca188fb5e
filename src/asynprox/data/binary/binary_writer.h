// Writes a file in our binary form, section by section, a chunk of each in memory at a time.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "asynprox/base/new_file.h"
#include "asynprox/data/binary/binary_header.h"

namespace asynprox {

class BinaryWriter {
 public:
  // Throws Error where the file cannot be written, or the disk is known to be too small. Nothing is
  // under `path` before finish().
  BinaryWriter(const std::string& path, const BinaryShape& shape);

  // The next bytes of a section; sections may take turns.
  void append(Section section, std::span<const std::byte> bytes);
  template <class T>
  void append(Section section, std::span<const T> numbers) {
    append(section, std::as_bytes(numbers));
  }

  // Every section must be complete by now (ensured). `rows_fingerprint`: see fingerprint.h.
  void finish(std::uint64_t rows_fingerprint, std::uint32_t picture_height = 0,
              std::uint32_t picture_width = 0);

  std::uint64_t file_bytes() const { return header_.file_bytes; }

 private:
  struct Progress {
    std::uint64_t written = 0;  // in whole chunks
    std::vector<std::byte> chunk = {};
  };

  void write_chunk(Section section, std::span<const std::byte> chunk);
  Progress& progress(Section section) { return progress_[static_cast<std::size_t>(section)]; }

  BinaryHeader header_;
  std::vector<std::uint64_t> table_;
  std::array<Progress, kNumSections> progress_;
  NewFile file_;
};

}  // namespace asynprox
