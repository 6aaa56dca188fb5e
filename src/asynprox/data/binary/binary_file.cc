#include "asynprox/data/binary/binary_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/binary_header.h"
#include "asynprox/data/binary/binary_names.h"
#include "asynprox/data/binary/binary_writer.h"
#include "asynprox/data/binary/chunk_hash.h"
#include "asynprox/data/binary/mapped_file.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/repack.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

// A file whose header has been checked.
struct OpenFile {
  MappedFile map;
  BinaryHeader header;

  std::span<const std::byte> bytes(Section section) const {
    const SectionPlace& place = header.place(section);
    return map.bytes.subspan(place.begin, place.bytes);
  }
};

OpenFile open_file(const std::string& path) {
  MappedFile map = map_file(path);
  const BinaryHeader header = checked_header(map.bytes, path);
  return {std::move(map), header};
}

Vector numbers(const OpenFile& file, Section section, const std::string& path) {
  const auto stored = array_of<double>(file.bytes(section));
  const auto bad = std::ranges::find_if_not(stored, [](double x) { return std::isfinite(x); });
  if (bad != stored.end())
    throw DataError(fmt::format("{}: {}: expected finite numbers, got {} in row {}", path,
                                kSectionNames[static_cast<std::size_t>(section)], *bad,
                                bad - stored.begin() + 1));
  return {stored.begin(), stored.end()};
}

Rows mapped_rows(const OpenFile& file, const std::string& path, Entries entries) {
  RowArrays arrays = rows_of(file.header);
  arrays.offsets = file.bytes(Section::offsets);
  arrays.columns = file.bytes(Section::columns);
  arrays.values = file.bytes(Section::values);
  Rows rows;
  naming<Error>(path, [&] {
    rows = Rows::borrowed(arrays, file.map.owner);
    if (entries == Entries::checked) rows.check_entries();
  });
  // Samples are drawn in no order. While all fits into memory, reading ahead does good; where it
  // does not, what is read beside a row drives out rows that will be drawn again.
  if (file.header.file_bytes > memory_size() / 2) {
    expect_random_reads(arrays.columns);
    expect_random_reads(arrays.values);
  }
  return rows;
}

// Names of features and of labels, if there are any, and that they fit the rest.
void read_names(const OpenFile& file, Dataset& data) {
  const auto bytes = file.bytes(Section::names);
  if (bytes.empty()) return;
  std::optional<Names> names = unpacked_names(bytes);
  if (!names || (!names->features.empty() && names->features.size() != data.dimension()))
    throw DataError(fmt::format("{}: names: expected one for each of {} features, or none",
                                data.name, data.dimension()));
  const auto num_names = static_cast<double>(names->labels.size());
  for (std::size_t i = 0; i < data.labels.size() && num_names > 0; ++i)
    if (const double label = data.labels[i];
        label < 0 || label >= num_names || label != std::trunc(label))
      throw DataError(
          fmt::format("{}: labels: expected one of {} that have names, got {} in row {}", data.name,
                      num_names, label, i + 1));
  data.feature_names = std::move(names->features);
  data.label_names = std::move(names->labels);
}

// "values: bytes 1048576 to 2097152", for every chunk that is not as it was written.
std::vector<std::string> damaged_chunks(const OpenFile& file) {
  const auto table = array_of<std::uint64_t>(file.map.bytes.subspan(
      sizeof(BinaryHeader), file.header.place(Section::labels).begin - sizeof(BinaryHeader)));
  std::vector<std::string> damaged;
  std::size_t chunk = 0;
  for (std::size_t i = 0; i < kNumSections; ++i) {
    const SectionPlace& place = file.header.sections[i];
    const std::uint64_t end = place.begin + filled_up(place.bytes);
    for (std::uint64_t at = place.begin; at < end; at += kChunkBytes, ++chunk) {
      const std::uint64_t size = std::min(kChunkBytes, end - at);
      if (chunk_hash(file.map.bytes.subspan(at, size), chunk) != table[chunk])
        damaged.push_back(fmt::format("{}: bytes {} to {}", kSectionNames[i], at, at + size));
    }
  }
  return damaged;
}

}  // namespace

bool is_binary_start(std::string_view start) { return start.starts_with(kBinaryMagic); }

bool is_binary_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::string start(kBinaryMagic.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  return is_binary_start(start);
}

Dataset open_binary_file(const std::string& path, Entries entries) {
  const OpenFile file = open_file(path);
  Dataset data;
  data.name = path;
  data.rows = mapped_rows(file, path, entries);
  data.labels = numbers(file, Section::labels, path);
  data.weights = numbers(file, Section::weights, path);
  data.row_scale = numbers(file, Section::row_scale, path);
  if (file.header.picture_height > 0)
    data.picture = {static_cast<int>(file.header.picture_height),
                    static_cast<int>(file.header.picture_width)};
  if (file.header.num_users + file.header.num_items > 0)
    data.ratings = {file.header.num_users, file.header.num_items};
  read_names(file, data);
  data.rows_fingerprint = file.header.rows_fingerprint;
  return data;
}

void verify_binary_file(const std::string& path) {
  constexpr std::size_t kNamed = 5;
  const OpenFile file = open_file(path);
  std::vector<std::string> damaged = damaged_chunks(file);
  if (damaged.size() > kNamed) {
    damaged[kNamed] = fmt::format("and {} more", damaged.size() - kNamed);
    damaged.resize(kNamed + 1);
  }
  if (!damaged.empty())
    throw DataError(fmt::format("{}: damaged: {}", path, fmt::join(damaged, "; ")));
  const Rows rows = mapped_rows(file, path, Entries::checked);
  if (rows_fingerprint(rows) != file.header.rows_fingerprint)
    throw DataError(path + ": the fingerprint in the header is not that of the rows");
}

std::optional<std::uint64_t> write_binary_file(const Dataset& data, const std::string& path,
                                               const std::function<bool()>& go_on) {
  const Rows rows = is_storable(data.rows) ? data.rows : repacked(data.rows, data.dimension());
  const RowArrays arrays = rows.arrays();
  require(data.labels.size() == data.num_samples(), "binary file: expected a label for every row");
  require(data.center.empty(),
          "binary file: has no place for a centre; centre the data once it is read");
  require(data.column_scale.empty(),
          "binary file: has no place for column scales; standardise the data once it is read");
  const std::vector<std::byte> names = packed_names({data.feature_names, data.label_names});
  const RatingsShape ratings = data.ratings.value_or(RatingsShape{});
  BinaryWriter writer(path, {.rows = arrays,
                             .has_weights = !data.weights.empty(),
                             .has_row_scale = !data.row_scale.empty(),
                             .num_entries = arrays.columns.size() / size_of(arrays.column_type),
                             .names_bytes = names.size(),
                             .num_users = ratings.num_users,
                             .num_items = ratings.num_items});
  const std::array<std::span<const std::byte>, kNumSections> sections = {
      std::as_bytes(std::span(data.labels)),
      std::as_bytes(std::span(data.weights)),
      std::as_bytes(std::span(data.row_scale)),
      arrays.offsets,
      arrays.columns,
      arrays.values,
      names};
  for (std::size_t i = 0; i < kNumSections; ++i) {
    for (std::span<const std::byte> rest = sections[i]; !rest.empty();) {
      const std::size_t count = std::min<std::size_t>(rest.size(), kChunkBytes);
      writer.append(static_cast<Section>(i), rest.first(count));
      rest = rest.subspan(count);
      if (go_on && !go_on()) return std::nullopt;
    }
  }
  const PictureShape picture = data.picture.value_or(PictureShape{});
  writer.finish(data.rows_fingerprint ? *data.rows_fingerprint : rows_fingerprint(data.rows),
                static_cast<std::uint32_t>(picture.height),
                static_cast<std::uint32_t>(picture.width));
  return writer.file_bytes();
}

}  // namespace asynprox
