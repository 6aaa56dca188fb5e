#include "asynprox/data/binary/binary_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/base/file_size_limit_testing.h"
#include "asynprox/base/random.h"
#include "asynprox/data/binary/binary_header.h"
#include "asynprox/data/binary/binary_writer.h"
#include "asynprox/data/binary/chunk_hash.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/readers/read_blocks.h"
#include "asynprox/data/temporary_folder_testing.h"
#include "asynprox/linalg/rows_builder.h"

namespace asynprox {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// What a function throws, without the folder; "" for nothing.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const DataError& error) {
    const std::string message = error.what();
    return message.substr(message.substr(0, message.find(": ")).rfind('/') + 1);
  }
  return "";
}

// Rows of length 0 to 5 and values of every width.
CsrMatrix matrix_of(std::size_t num_rows, std::size_t num_columns, ValueType type) {
  const Random random(3);
  CsrMatrix matrix{.num_columns = num_columns};
  for (std::uint64_t i = 0; i < num_rows; ++i) {
    for (std::uint64_t k = 0; k < random.index_at(i, 6); ++k) {
      matrix.columns.push_back(
          static_cast<Key>(k * (num_columns / 6) + random.index_at(9 * i + k, num_columns / 6)));
      const double byte = 1 + static_cast<double>(random.index_at(7 * i + k, 255));
      const double values[] = {1, byte, byte / 8, byte / 7};
      matrix.values.push_back(values[static_cast<std::size_t>(type)]);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

Dataset small(ValueType type = ValueType::f32, std::size_t num_columns = 40) {
  Dataset data{.name = "small", .rows = Rows::narrowed(matrix_of(20, num_columns, type))};
  for (std::size_t i = 0; i < 20; ++i) data.labels.push_back(i % 3 == 0 ? 1 : -0.5);
  return data;
}

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.num_samples(), b.num_samples());
  EXPECT_EQ(a.dimension(), b.dimension());
  EXPECT_EQ(a.rows.form(), b.rows.form());
  EXPECT_EQ(a.rows.num_nonzeros(), b.rows.num_nonzeros());
  for (std::size_t i = 0; i < a.num_samples(); ++i) EXPECT_EQ(a.rows.row(i), b.rows.row(i));
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.row_scale, b.row_scale);
  EXPECT_EQ(a.picture, b.picture);
  EXPECT_EQ(a.ratings, b.ratings);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.label_names, b.label_names);
  EXPECT_EQ(fingerprint(a), fingerprint(b));
}

// With text labels, and names of which one is empty and one has bytes of every kind.
Dataset named(Dataset data = small()) {
  for (std::size_t i = 0; i < data.num_samples(); ++i) data.labels[i] = static_cast<double>(i % 3);
  data.label_names = {"", "no", std::string("y\0\n\xff", 4)};
  for (std::size_t j = 0; j < data.dimension(); ++j)
    data.feature_names.push_back(std::string(j % 5, 'f'));
  return data;
}

class BinaryFile : public ::testing::Test {
 protected:
  std::string written(const Dataset& data) const {
    write_binary_file(data, folder_.path("file"));
    return bytes_of(folder_.path("file"));
  }
  // Of opening, and if that goes well of verifying, a file of these bytes.
  std::string open_error(std::string_view bytes) const {
    return error_of([&] { open_binary_file(folder_.write("file", bytes)); });
  }
  std::string verify_error(std::string_view bytes) const {
    return error_of([&] { verify_binary_file(folder_.write("file", bytes)); });
  }
  const TemporaryFolder folder_;
};

TEST_F(BinaryFile, GivesBackAllThatADatasetCarries) {
  for (const ValueType type : {ValueType::ones, ValueType::u8, ValueType::f32, ValueType::f64}) {
    for (const std::size_t num_columns : {40, 70'000}) {
      Dataset data = small(type, num_columns);
      const std::string path = folder_.path("file");
      for (const bool more : {false, true}) {
        if (more) {
          data.weights = Vector(20, 0.25);
          data.row_scale = Vector(20, 3);
          data.picture = {5, 8};
          data.ratings = {30, 10};
          data = named(std::move(data));
        }
        const auto size = write_binary_file(data, path);
        EXPECT_EQ(size, std::filesystem::file_size(path));
        EXPECT_TRUE(is_binary_file(path));
        expect_same(open_binary_file(path), data);
        expect_same(read_dataset(path), data);
        EXPECT_NO_THROW(verify_binary_file(path));
      }
    }
  }
}

TEST_F(BinaryFile, GivesBackEveryLayout) {
  for (const RowLayout layout : {RowLayout::compressed, RowLayout::blocks, RowLayout::slots}) {
    const bool slots = layout == RowLayout::slots;
    RowsBuilder builder;
    builder.add(matrix_of(20, 40, slots ? ValueType::ones : ValueType::u8));
    Dataset data{.labels = Vector(20, 1)};
    data.rows =
        std::move(builder).build_as(40, {.layout = layout,
                                         .column_type = ColumnType::u16,
                                         .value_type = slots ? ValueType::ones : ValueType::u8});
    write_binary_file(data, folder_.path("file"));
    const Dataset again = open_binary_file(folder_.path("file"));
    EXPECT_EQ(again.rows.arrays().layout, layout);
    expect_same(again, data);
    EXPECT_NO_THROW(verify_binary_file(folder_.path("file")));
    // More columns than the file has; those of slots end rows with the column d.
    for (const std::size_t dimension : {41, 70'000}) {
      const Dataset wide = read_dataset(folder_.path("file"), {.dimension = dimension});
      EXPECT_EQ(wide.dimension(), dimension);
      for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(wide.rows.row(i), data.rows.row(i));
    }
  }
  EXPECT_EQ(error_of([&] { read_dataset(folder_.path("file"), {.dimension = 39}); }),
            "file: expected at most 39 columns (--dimension), got 40");
}

TEST_F(BinaryFile, OfSeveralChunksIsMadeOfThemInOrder) {
  Dataset data{.rows = Rows::plain(matrix_of(200'000, 600, ValueType::f64))};
  for (std::size_t i = 0; i < 200'000; ++i) data.labels.push_back(static_cast<double>(i));
  std::string bytes = written(data);
  ASSERT_GT(bytes.size(), 8 * kChunkBytes);
  EXPECT_EQ(open_binary_file(folder_.path("file")).labels, data.labels);
  EXPECT_EQ(verify_error(bytes), "");
  // Two whole chunks of labels that change places are both damaged.
  BinaryHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const std::uint64_t begin = header.place(Section::labels).begin;
  std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + kChunkBytes / 2),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + kChunkBytes / 2));
  EXPECT_EQ(verify_error(bytes), "file: damaged: labels: bytes " + std::to_string(begin) + " to " +
                                     std::to_string(begin + kChunkBytes));
}

// A changed byte is found when the file is opened, or else when it is verified; never too late.
TEST_F(BinaryFile, NoticesEveryByteThatChanges) {
  Dataset data{.rows = Rows::narrowed(matrix_of(6, 40, ValueType::u8)), .labels = Vector(6, 1)};
  data.weights = Vector(6, 0.25);
  data.picture = {5, 8};
  data.ratings = {20, 20};
  const std::string whole = written(named(std::move(data)));
  BinaryHeader header;
  std::memcpy(&header, whole.data(), sizeof(header));
  const std::uint64_t sections = header.place(Section::labels).begin;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    const std::string path = folder_.write("file", changed);
    const std::string opening = error_of([&] { read_dataset(path); });
    EXPECT_TRUE(at >= sections || !opening.empty()) << at;
    // Without its magic it is taken for text, which it is not.
    if (at < kBinaryMagic.size()) continue;
    EXPECT_NE(error_of([&] { verify_binary_file(path); }), "") << at;
  }
}

TEST_F(BinaryFile, RefusesDataWhoseCentreOrColumnScalesItWouldLose) {
  Dataset data = small();
  center_columns(data);
  EXPECT_THROW(written(data), ContractError);
  data = small();
  data.column_scale = Vector(40, 2);
  EXPECT_THROW(written(data), ContractError);
}

TEST_F(BinaryFile, NamesTheSectionThatIsDamaged) {
  Dataset data = small();
  data.weights = data.row_scale = Vector(20, 2);
  const std::string whole = written(named(std::move(data)));
  BinaryHeader header;
  std::memcpy(&header, whole.data(), sizeof(header));
  for (std::size_t i = 0; i < kNumSections; ++i) {
    const auto [begin, bytes] = header.sections[i];
    std::string changed = whole;
    changed[begin + bytes / 2] = static_cast<char>(changed[begin + bytes / 2] ^ 1);
    EXPECT_EQ(verify_error(changed), "file: damaged: " + std::string(kSectionNames[i]) +
                                         ": bytes " + std::to_string(begin) + " to " +
                                         std::to_string(begin + filled_up(bytes)));
  }
  std::string changed = whole;
  changed[60] = static_cast<char>(changed[60] ^ 4);
  EXPECT_EQ(open_error(changed), "file: the header (bytes 0 to 256) is damaged");
  changed = whole;
  changed[256] = static_cast<char>(changed[256] ^ 4);
  EXPECT_EQ(open_error(changed), "file: the chunk table (bytes 256 to 320) is damaged");
}

TEST_F(BinaryFile, CutAtAnyPlaceIsRefused) {
  const std::string whole = written(small());
  for (std::size_t size = kBinaryMagic.size(); size < whole.size(); ++size)
    EXPECT_EQ(open_error(whole.substr(0, size)),
              size < 256 ? "file: expected a header of 256 bytes, got " + std::to_string(size)
                         : "file: expected " + std::to_string(whole.size()) + " bytes, got " +
                               std::to_string(size) + ": cut short");
  EXPECT_EQ(open_error(whole + "x"), "file: expected " + std::to_string(whole.size()) +
                                         " bytes, got " + std::to_string(whole.size() + 1));
}

TEST_F(BinaryFile, OfAnotherVersionIsRefused) {
  std::string bytes = written(small());
  for (const int version : {0, 3}) {
    bytes[8] = static_cast<char>(version);
    EXPECT_EQ(open_error(bytes),
              "file: expected version 1 to 2 of the binary form, got " + std::to_string(version));
  }
}

// What knows no names can still read what has none.
TEST_F(BinaryFile, IsOfTheOldVersionUnlessItHoldsSomethingNew) {
  EXPECT_EQ(written(small())[8], 1);
  EXPECT_EQ(written(named())[8], 2);
  Dataset ratings = small();
  ratings.ratings = {30, 10};
  EXPECT_EQ(written(ratings)[8], 2);
}

TEST_F(BinaryFile, KeepsItsNamesUnderMoreColumns) {
  write_binary_file(named(), folder_.path("file"));
  const Dataset wide = read_dataset(folder_.path("file"), {.dimension = 42});
  ASSERT_EQ(wide.feature_names.size(), 42u);
  EXPECT_EQ(wide.feature_names[39], "ffff");
  EXPECT_EQ(wide.feature_names[41], "");
  EXPECT_EQ(wide.label_names, named().label_names);
}

TEST_F(BinaryFile, RefusesNamesThatDoNotFit) {
  Dataset data = named();
  data.feature_names.pop_back();
  EXPECT_EQ(open_error(written(data)),
            "file: names: expected one for each of 40 features, or none");
  data = named();
  data.labels[4] = 3;
  EXPECT_EQ(open_error(written(data)),
            "file: labels: expected one of 3 that have names, got 3 in row 5");
}

// Someone who writes such files by hand gets checksums right, and other things wrong.
class ForgedFile : public BinaryFile {
 protected:
  std::string forged(const std::function<void(BinaryHeader&)>& change) const {
    std::string bytes = written(small());
    BinaryHeader header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    change(header);
    header.checksum = header_checksum(header);
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes;
  }
};

TEST_F(ForgedFile, IsRefusedWhenItsHeaderMakesNoSense) {
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::function<void(BinaryHeader&)>> changes = {
      [&](BinaryHeader& h) { h.num_rows = huge; },
      [&](BinaryHeader& h) { h.num_rows = 19; },
      [&](BinaryHeader& h) { h.num_columns = huge; },
      [&](BinaryHeader& h) { h.num_nonzeros = huge; },
      [&](BinaryHeader& h) { h.num_nonzeros += 1; },
      [&](BinaryHeader& h) { h.slots = 3; },
      [&](BinaryHeader& h) { h.layout = 2; },
      [&](BinaryHeader& h) { h.layout = 3; },
      [&](BinaryHeader& h) { h.column_type = 1; },
      [&](BinaryHeader& h) { h.column_type = 2; },
      [&](BinaryHeader& h) { h.value_type = 0; },
      [&](BinaryHeader& h) { h.value_type = 200; },
      [&](BinaryHeader& h) { h.chunk_bytes = 0; },
      [&](BinaryHeader& h) { h.header_bytes = 0; },
      [&](BinaryHeader& h) { h.picture_height = 4'000'000'000; },
      [&](BinaryHeader& h) { h.file_bytes += 64; },
      [&](BinaryHeader& h) { h.num_users = 3; },
      [&](BinaryHeader& h) { h.version = 2; },
      [&](BinaryHeader& h) { h.num_users = 41, h.version = 2; },
      [&](BinaryHeader& h) { h.num_items = huge, h.num_users = 2, h.version = 2; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i)
    EXPECT_NE(open_error(forged(changes[i])), "") << i;
  // Whether rows end where blocks do is seen only by looking at the offsets.
  EXPECT_NE(verify_error(forged([](BinaryHeader& h) { h.layout = 1; })), "");
  for (std::size_t i = 0; i < kNumSections; ++i) {
    EXPECT_NE(open_error(forged([&](BinaryHeader& h) { h.sections[i].begin += 64; })), "") << i;
    EXPECT_NE(open_error(forged([&](BinaryHeader& h) { h.sections[i].begin = huge - 7; })), "")
        << i;
    EXPECT_NE(open_error(forged([&](BinaryHeader& h) { h.sections[i].bytes = huge - 7; })), "")
        << i;
  }
}

TEST_F(ForgedFile, IsFoundOutWhenItsEntriesAreLookedAt) {
  const auto write = [&](std::vector<std::uint64_t> offsets, std::vector<std::uint16_t> columns,
                         double label = 1, std::uint64_t fingerprint = 0) {
    const RowArrays shape{.value_type = ValueType::ones,
                          .num_rows = 2,
                          .num_columns = 4,
                          .num_nonzeros = columns.size()};
    BinaryWriter writer(folder_.path("file"), {.rows = shape, .num_entries = columns.size()});
    writer.append(Section::labels, std::span<const double>(Vector{1, label}));
    writer.append(Section::offsets, std::span<const std::uint64_t>(offsets));
    writer.append(Section::columns, std::span<const std::uint16_t>(columns));
    writer.finish(fingerprint);
    return bytes_of(folder_.path("file"));
  };
  EXPECT_EQ(verify_error(write({0, 1, 2}, {1, 3})),
            "file: the fingerprint in the header is not that of the rows");
  const std::vector<std::string> opened = {write({0, 3, 2}, {1, 3}), write({0, 9, 2}, {1, 3}),
                                           write({0, 2, 2}, {3, 1}), write({0, 1, 2}, {1, 4})};
  for (const std::string& bytes : opened) {
    EXPECT_NE(open_error(bytes), "");
    EXPECT_NE(verify_error(bytes), "");
    const std::string path = folder_.write("file", bytes);
    for (const std::optional<std::size_t> dimension : {std::optional<std::size_t>(), {70'000}}) {
      EXPECT_NE(error_of([&] { read_dataset(path, {.dimension = dimension}); }), "");
      EXPECT_NE(error_of([&] {
                  for_each_block(path, {.dimension = dimension}, [](const Dataset&) { FAIL(); });
                }),
                "");
    }
    EXPECT_EQ(error_of([&] { open_binary_file(path, Entries::believed); }), "");
  }
  EXPECT_EQ(open_error(opened[3]), "file: row 1 (from 0): a column is beyond the last");
  EXPECT_EQ(error_of([&] {
              const std::string path = folder_.write("file", opened[1]);
              fingerprint(Dataset{.rows = open_binary_file(path, Entries::believed).rows});
            }),
            "row 1: expected offsets that rise to 2, got 0 and 9");
  for (const std::string& bytes : {write({1, 1, 2}, {1, 3}), write({0, 1, 3}, {1, 3})})
    EXPECT_NE(open_error(bytes), "");
  EXPECT_EQ(open_error(write({0, 1, 2}, {1, 3}, std::numeric_limits<double>::infinity())),
            "file: labels: expected finite numbers, got inf in row 2");
}

// Blocks before the damage are handed over; the row is named by its number in the file.
TEST_F(ForgedFile, ReadInBlocksIsCheckedBlockByBlock) {
  constexpr std::size_t kRows = 40'000, kBad = 39'000;
  const RowArrays shape{.layout = RowLayout::slots,
                        .value_type = ValueType::u8,
                        .num_rows = kRows,
                        .num_columns = 4,
                        .num_nonzeros = kRows,
                        .slots = 1};
  const std::string path = folder_.path("file");
  BinaryWriter writer(path, {.rows = shape, .num_entries = kRows});
  writer.append(Section::labels, std::span<const double>(Vector(kRows, 1)));
  std::vector<std::uint16_t> columns(kRows, 3);
  columns[kBad] = 60'000;
  std::vector<std::uint8_t> values(kRows, 1);
  values[kBad] = 0;  // as if it only filled up its row
  writer.append(Section::columns, std::span<const std::uint16_t>(columns));
  writer.append(Section::values, std::span<const std::uint8_t>(values));
  writer.finish(0);
  std::size_t visited = 0;
  EXPECT_EQ(error_of([&] {
              for_each_block(path, {},
                             [&](const Dataset& block) { visited += block.num_samples(); });
            }),
            "file: row 39000 (from 0): a column is beyond the last");
  EXPECT_GT(visited, 0u);
  EXPECT_LE(visited, kBad);
  EXPECT_EQ(error_of([&] { read_dataset(path); }),
            "file: row 39000 (from 0): a column is beyond the last");
}

// Of ones in slots, the columns d, d + 1, ... fill up rows; here they are said to be entries.
TEST_F(ForgedFile, SaysThatRowsAreFullWhichAreNot) {
  const RowArrays shape{.layout = RowLayout::slots,
                        .value_type = ValueType::ones,
                        .num_rows = 2,
                        .num_columns = 4,
                        .num_nonzeros = 4,
                        .slots = 2};
  const std::string path = folder_.path("file");
  BinaryWriter writer(path, {.rows = shape, .num_entries = 4});
  writer.append(Section::labels, std::span<const double>(Vector{1, 1}));
  writer.append(Section::columns,
                std::span<const std::uint16_t>(std::vector<std::uint16_t>{0, 3, 1, 4}));
  writer.finish(0);
  const std::string words = "file: row 1 (from 0): a column is beyond the last";
  EXPECT_EQ(error_of([&] { read_dataset(path); }), words);
  EXPECT_EQ(error_of([&] { for_each_block(path, {}, [](const Dataset&) { FAIL(); }); }), words);
}

TEST_F(BinaryFile, IsNotReadThroughACompressor) {
  const std::string whole = written(small());
  for (const char* filter : kFilters)
    EXPECT_EQ(error_of([&] { read_dataset(folder_.write("packed", compressed(whole, filter))); }),
              "packed: the binary form is mapped, not read: decompress it into a file first, and "
              "name that");
}

TEST_F(BinaryFile, KeepsTheFingerprintOfItsRowsAlone) {
  Dataset data = small();
  write_binary_file(data, folder_.path("file"));
  Dataset again = open_binary_file(folder_.path("file"));
  ASSERT_TRUE(again.rows_fingerprint);
  const std::string before = fingerprint(again);
  normalize_rows(again);
  normalize_rows(data);
  EXPECT_NE(fingerprint(again), before);
  EXPECT_EQ(fingerprint(again), fingerprint(data));
  again.labels[3] = data.labels[3] = 7;
  EXPECT_EQ(fingerprint(again), fingerprint(data));
}

TEST_F(BinaryFile, ThatCannotBeWrittenLeavesWhatWasThere) {
  const std::string path = folder_.write("file", "old");
  std::string message;
  try {
    const FileSizeLimit limit(1000);
    write_binary_file(small(), path);
  } catch (const Error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, path + ": cannot be written: File too large");
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_FALSE(write_binary_file(small(), path, [] { return false; }));
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path("")), {}), 1);
  EXPECT_THROW(write_binary_file(small(), folder_.path("no/such/folder")), Error);
}

// Every step of the hash can be undone, so no change of one word goes unnoticed.
TEST(ChunkHash, ChangesWithEveryBitPlaceAndLength) {
  std::vector<std::byte> bytes(256, std::byte{0});
  std::vector<std::uint64_t> hashes = {chunk_hash(bytes, 0), chunk_hash(bytes, 1),
                                       chunk_hash(std::span(bytes).first(192), 0)};
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
    hashes.push_back(chunk_hash(bytes, 0));
    bytes[bit / 8] ^= std::byte{1} << bit % 8;
  }
  std::ranges::sort(hashes);
  EXPECT_EQ(std::ranges::adjacent_find(hashes), hashes.end());
}

}  // namespace
}  // namespace asynprox
