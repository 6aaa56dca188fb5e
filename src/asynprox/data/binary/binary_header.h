// The head of a file in our binary form; docs/binary_form.md describes the whole. All numbers are
// little-endian, and every section begins at a multiple of 64 bytes, filled up with zeros.
//
//   header        this struct
//   chunk table   one 64-bit checksum for each chunk of each section, in order
//   sections      labels, weights, row_scale, offsets, columns, values, names
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "asynprox/linalg/rows.h"

namespace asynprox {

inline constexpr std::string_view kBinaryMagic =
    "\x8a"
    "asynpx\n";
// A file without names and ratings is written as version 1, which knows neither.
inline constexpr std::uint32_t kBinaryVersion = 2, kBinaryVersionMin = 1;
inline constexpr std::uint64_t kChunkBytes = 1 << 20;
inline constexpr std::uint64_t kSectionAlignment = 64;

enum class Section : std::uint8_t { labels, weights, row_scale, offsets, columns, values, names };
inline constexpr std::size_t kNumSections = 7;
inline constexpr std::array<std::string_view, kNumSections> kSectionNames = {
    "labels", "weights", "row_scale", "offsets", "columns", "values", "names"};

// Where a section lies. An empty one lies where the next begins; without names, theirs lies at 0.
struct SectionPlace {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;  // without what fills it up
};

// What a file holds: all that its size follows from.
struct BinaryShape {
  RowArrays rows = {};  // the spans are not looked at
  bool has_weights = false;
  bool has_row_scale = false;
  // Entries of columns and values, with those that fill up rows.
  std::uint64_t num_entries = 0;
  std::uint64_t names_bytes = 0;  // see binary_names.h
  std::uint64_t num_users = 0;    // of ratings, or 0 and 0
  std::uint64_t num_items = 0;
};

struct BinaryHeader {
  std::array<char, 8> magic = {};
  std::uint32_t version = 0;
  std::uint32_t header_bytes = 0;    // of this struct: where the chunk table begins
  std::uint64_t checksum = 0;        // of this struct, with 0 in this place
  std::uint64_t table_checksum = 0;  // of the chunk table
  std::uint64_t file_bytes = 0;
  std::uint64_t rows_fingerprint = 0;  // see fingerprint.h
  std::uint64_t num_rows = 0;
  std::uint64_t num_columns = 0;
  std::uint64_t num_nonzeros = 0;
  std::uint64_t slots = 0;
  std::uint8_t layout = 0;  // these three as the enumerations in linalg/rows.h
  std::uint8_t column_type = 0;
  std::uint8_t value_type = 0;
  std::array<std::uint8_t, 5> unused = {};
  std::uint32_t picture_height = 0;  // 0 by 0: not of pictures
  std::uint32_t picture_width = 0;
  std::uint64_t chunk_bytes = 0;
  std::array<SectionPlace, kNumSections> sections = {};
  std::uint64_t num_users = 0;  // of ratings; 0 and 0: not of ratings
  std::uint64_t num_items = 0;
  std::array<std::uint64_t, 3> unused_at_end = {};

  const SectionPlace& place(Section section) const {
    return sections[static_cast<std::size_t>(section)];
  }
};
static_assert(sizeof(BinaryHeader) == 256);

std::uint64_t filled_up(std::uint64_t bytes);  // to a multiple of 64

// How many chunks a section has, and how many come before it in the table.
std::uint64_t num_chunks(const SectionPlace& place);
std::uint64_t first_chunk(const BinaryHeader& header, Section section);

// The header of a file of this shape, but for its checksums, fingerprint and picture.
BinaryHeader header_for(const BinaryShape& shape);

// What the header says of the rows, without the arrays.
RowArrays rows_of(const BinaryHeader& header);

// The header at the start of a file of these bytes. Throws DataError, "<name>: ...", for another
// version, a damaged header, a file that is too short or too long, and sections that do not agree
// with each other.
BinaryHeader checked_header(std::span<const std::byte> file, const std::string& name);

// Of the header, its own checksum taken as 0; of the chunk table.
std::uint64_t header_checksum(BinaryHeader header);
std::uint64_t table_checksum(std::span<const std::byte> table);

}  // namespace asynprox
