#include "asynprox/data/binary/binary_writer.h"

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/chunk_hash.h"

namespace asynprox {

BinaryWriter::BinaryWriter(const std::string& path, const BinaryShape& shape)
    : header_(header_for(shape)),
      table_((header_.place(Section::labels).begin - sizeof(BinaryHeader)) / 8, 0),
      file_(target_of(path)) {
  file_.reserve(header_.file_bytes);
}

void BinaryWriter::append(Section section, std::span<const std::byte> bytes) {
  std::vector<std::byte>& chunk = progress(section).chunk;
  while (!bytes.empty()) {
    // Whole chunks go by without a copy.
    if (chunk.empty() && bytes.size() >= kChunkBytes) {
      write_chunk(section, bytes.first(kChunkBytes));
      bytes = bytes.subspan(kChunkBytes);
      continue;
    }
    const std::size_t count = std::min<std::size_t>(bytes.size(), kChunkBytes - chunk.size());
    chunk.insert(chunk.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (chunk.size() < kChunkBytes) continue;
    write_chunk(section, chunk);
    chunk.clear();
  }
}

void BinaryWriter::write_chunk(Section section, std::span<const std::byte> chunk) {
  const SectionPlace& place = header_.place(section);
  std::uint64_t& written = progress(section).written;
  ensure(written + chunk.size() <= filled_up(place.bytes), "a section is longer than was said");
  const std::uint64_t number = first_chunk(header_, section) + written / kChunkBytes;
  table_[number] = chunk_hash(chunk, number);
  file_.write_at(place.begin + written, chunk);
  written += chunk.size();
}

void BinaryWriter::finish(std::uint64_t rows_fingerprint, std::uint32_t picture_height,
                          std::uint32_t picture_width) {
  for (std::size_t i = 0; i < kNumSections; ++i) {
    auto& [written, chunk] = progress_[i];
    ensure(written + chunk.size() == header_.sections[i].bytes, "a section is not complete");
    chunk.resize(filled_up(chunk.size()), std::byte{0});
    if (!chunk.empty()) write_chunk(static_cast<Section>(i), chunk);
  }
  header_.rows_fingerprint = rows_fingerprint;
  header_.picture_height = picture_height;
  header_.picture_width = picture_width;
  const auto table = std::as_bytes(std::span(table_));
  header_.table_checksum = table_checksum(table);
  header_.checksum = header_checksum(header_);
  file_.write_at(sizeof(header_), table);
  file_.write_at(0, std::as_bytes(std::span(&header_, 1)));
  file_.keep();
}

}  // namespace asynprox
