#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/binary/binary_header.h"
#include "asynprox/data/binary/chunk_hash.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

// Visits every entry: of a file that opens, none may lie outside.
void use(const Dataset& data) {
  constexpr std::size_t kDimensionMax = 1 << 16;
  if (data.dimension() > kDimensionMax || data.num_samples() == 0) return;
  std::vector<SampleIndex> samples(data.num_samples());
  std::iota(samples.begin(), samples.end(), 0u);
  const Vector x(data.dimension(), 1);
  Vector u(samples.size());
  data.rows.dots(samples, x, u);
}

void open(Input input) {
  const std::string& path = memory_file(input);
  try {
    use(open_binary_file(path));
  } catch (const DataError&) {
  }
  try {
    verify_binary_file(path);
  } catch (const DataError&) {
  }
}

// With checksums that are right, as far as there are places for them: no mutation finds those.
std::vector<std::byte> with_checksums(Input input) {
  std::vector<std::byte> file(input.begin(), input.end());
  BinaryHeader header;
  if (file.size() < sizeof(header)) return file;
  std::memcpy(&header, file.data(), sizeof(header));
  header.file_bytes = file.size();
  std::uint64_t place = sizeof(header), chunk = 0;
  for (const SectionPlace& section : header.sections) {
    const bool within = section.bytes <= file.size() && section.begin <= file.size() &&
                        filled_up(section.bytes) <= file.size() - section.begin;
    if (!within) break;
    for (std::uint64_t at = 0; at < filled_up(section.bytes); at += kChunkBytes, ++chunk) {
      const std::uint64_t size = std::min(kChunkBytes, filled_up(section.bytes) - at);
      const std::uint64_t hash =
          chunk_hash(std::span(file).subspan(section.begin + at, size), chunk);
      if (place + sizeof(hash) > file.size()) break;
      std::memcpy(file.data() + place, &hash, sizeof(hash));
      place += sizeof(hash);
    }
  }
  const std::uint64_t table_end = header.sections.front().begin;
  if (table_end >= sizeof(header) && table_end <= file.size())
    header.table_checksum =
        table_checksum(std::span(file).subspan(sizeof(header), table_end - sizeof(header)));
  header.checksum = header_checksum(header);
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

}  // namespace

void fuzz_binary_form(Input input) {
  open(input);
  open(with_checksums(input));
}

}  // namespace asynprox::fuzz
