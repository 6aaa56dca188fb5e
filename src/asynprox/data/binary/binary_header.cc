#include "asynprox/data/binary/binary_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/chunk_hash.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

constexpr std::uint64_t kRowsMax = std::uint64_t{1} << 32, kFeaturesMax = std::uint64_t{1} << 31;
constexpr std::uint64_t kPictureMax = 2147483647;

// Chunks of sections have seeds from 0.
constexpr std::uint64_t kHeaderSeed = ~std::uint64_t{0}, kTableSeed = kHeaderSeed - 1;

std::uint64_t num_chunks(const BinaryHeader& header) {
  return std::accumulate(
      header.sections.begin(), header.sections.end(), std::uint64_t{0},
      [](std::uint64_t sum, const SectionPlace& place) { return sum + num_chunks(place); });
}

void check_numbers(const BinaryHeader& header, const std::string& name) {
  const bool known = header.layout <= static_cast<int>(RowLayout::slots) &&
                     header.column_type <= static_cast<int>(ColumnType::u32) &&
                     header.value_type <= static_cast<int>(ValueType::f64) &&
                     header.header_bytes == sizeof(BinaryHeader) &&
                     header.chunk_bytes == kChunkBytes;
  const bool in_range = header.num_rows <= kRowsMax && header.num_columns <= kFeaturesMax &&
                        header.slots <= kFeaturesMax && header.picture_height <= kPictureMax &&
                        header.picture_width <= kPictureMax && header.num_users <= kFeaturesMax &&
                        header.num_items <= kFeaturesMax &&
                        (header.num_users + header.num_items == 0 ||
                         header.num_users + header.num_items <= header.num_columns);
  if (!known || !in_range) throw DataError(name + ": the header holds numbers that make no sense");
}

// The places follow from the rest of the header; that they are as written means that they agree.
void check_places(const BinaryHeader& header, const std::string& name) {
  for (const SectionPlace& place : header.sections)
    if (place.bytes > header.file_bytes || place.begin > header.file_bytes - place.bytes)
      throw DataError(fmt::format("{}: expected sections within {} bytes, got {} bytes at {}", name,
                                  header.file_bytes, place.bytes, place.begin));
  const RowArrays rows = rows_of(header);
  const std::uint64_t entries = header.place(Section::columns).bytes / size_of(rows.column_type);
  if (rows.layout == RowLayout::blocks && entries % kEntriesPerBlock != 0)
    throw DataError(fmt::format("{}: expected blocks of {} entries, got {} entries", name,
                                kEntriesPerBlock, entries));
  const BinaryHeader expected =
      header_for({.rows = rows,
                  .has_weights = header.place(Section::weights).bytes != 0,
                  .has_row_scale = header.place(Section::row_scale).bytes != 0,
                  .num_entries = entries,
                  .names_bytes = header.place(Section::names).bytes,
                  .num_users = header.num_users,
                  .num_items = header.num_items});
  if (header.version != expected.version)
    throw DataError(fmt::format("{}: expected version {}, by what it holds, got {}", name,
                                expected.version, header.version));
  for (std::size_t i = 0; i < kNumSections; ++i) {
    const SectionPlace &place = header.sections[i], &wanted = expected.sections[i];
    if (place.begin != wanted.begin || place.bytes != wanted.bytes)
      throw DataError(fmt::format("{}: expected {} bytes of {} at {}, got {} at {}", name,
                                  wanted.bytes, kSectionNames[i], wanted.begin, place.bytes,
                                  place.begin));
  }
  if (header.file_bytes != expected.file_bytes)
    throw DataError(fmt::format("{}: expected sections of {} bytes in all, got {}", name,
                                expected.file_bytes, header.file_bytes));
}

}  // namespace

std::uint64_t filled_up(std::uint64_t bytes) {
  return (bytes + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

std::uint64_t num_chunks(const SectionPlace& place) {
  return (place.bytes + kChunkBytes - 1) / kChunkBytes;
}

std::uint64_t first_chunk(const BinaryHeader& header, Section section) {
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(section); ++i)
    first += num_chunks(header.sections[i]);
  return first;
}

BinaryHeader header_for(const BinaryShape& shape) {
  const RowArrays& rows = shape.rows;
  BinaryHeader header;
  std::ranges::copy(kBinaryMagic, header.magic.begin());
  const bool is_plain = shape.names_bytes == 0 && shape.num_users == 0 && shape.num_items == 0;
  header.version = is_plain ? kBinaryVersionMin : kBinaryVersion;
  header.header_bytes = sizeof(BinaryHeader);
  header.num_rows = rows.num_rows;
  header.num_columns = rows.num_columns;
  header.num_nonzeros = rows.num_nonzeros;
  header.slots = rows.slots;
  header.layout = static_cast<std::uint8_t>(rows.layout);
  header.column_type = static_cast<std::uint8_t>(rows.column_type);
  header.value_type = static_cast<std::uint8_t>(rows.value_type);
  header.chunk_bytes = kChunkBytes;
  header.num_users = shape.num_users;
  header.num_items = shape.num_items;

  const bool has_offsets = rows.layout != RowLayout::slots;
  const std::array<std::uint64_t, kNumSections> sizes = {
      8 * rows.num_rows,
      shape.has_weights ? 8 * rows.num_rows : 0,
      shape.has_row_scale ? 8 * rows.num_rows : 0,
      has_offsets ? 8 * (rows.num_rows + 1) : 0,
      size_of(rows.column_type) * shape.num_entries,
      size_of(rows.value_type) * shape.num_entries,
      shape.names_bytes};
  for (std::size_t i = 0; i < kNumSections; ++i) header.sections[i].bytes = sizes[i];
  std::uint64_t at = sizeof(BinaryHeader) + filled_up(8 * num_chunks(header));
  for (SectionPlace& place : header.sections) {
    place.begin = at;
    at += filled_up(place.bytes);
  }
  if (shape.names_bytes == 0) header.sections.back().begin = 0;
  header.file_bytes = at;
  return header;
}

RowArrays rows_of(const BinaryHeader& header) {
  return {.layout = static_cast<RowLayout>(header.layout),
          .column_type = static_cast<ColumnType>(header.column_type),
          .value_type = static_cast<ValueType>(header.value_type),
          .num_rows = header.num_rows,
          .num_columns = header.num_columns,
          .num_nonzeros = header.num_nonzeros,
          .slots = header.slots};
}

BinaryHeader checked_header(std::span<const std::byte> file, const std::string& name) {
  BinaryHeader header;
  if (file.size() < sizeof(header))
    throw DataError(fmt::format("{}: expected a header of {} bytes, got {}", name, sizeof(header),
                                file.size()));
  std::memcpy(&header, file.data(), sizeof(header));
  if (header.version < kBinaryVersionMin || header.version > kBinaryVersion)
    throw DataError(fmt::format("{}: expected version {} to {} of the binary form, got {}", name,
                                kBinaryVersionMin, kBinaryVersion, header.version));
  if (header.checksum != header_checksum(header))
    throw DataError(fmt::format("{}: the header (bytes 0 to {}) is damaged", name, sizeof(header)));
  if (header.file_bytes != file.size())
    throw DataError(fmt::format("{}: expected {} bytes, got {}{}", name, header.file_bytes,
                                file.size(), file.size() < header.file_bytes ? ": cut short" : ""));
  check_numbers(header, name);
  check_places(header, name);
  const std::uint64_t table_end = header.place(Section::labels).begin;
  if (header.table_checksum !=
      table_checksum(file.subspan(sizeof(header), table_end - sizeof(header))))
    throw DataError(fmt::format("{}: the chunk table (bytes {} to {}) is damaged", name,
                                sizeof(header), table_end));
  return header;
}

std::uint64_t header_checksum(BinaryHeader header) {
  header.checksum = 0;
  return chunk_hash(std::as_bytes(std::span(&header, 1)), kHeaderSeed);
}

std::uint64_t table_checksum(std::span<const std::byte> table) {
  return chunk_hash(table, kTableSeed);
}

}  // namespace asynprox
