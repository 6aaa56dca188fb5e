#include "asynprox/data/readers/idx.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string big_endian(std::initializer_list<std::uint32_t> numbers) {
  std::string bytes;
  for (const std::uint32_t number : numbers)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes += static_cast<char>(static_cast<unsigned char>(number >> shift & 0xff));
  return bytes;
}

// Two pictures of 2 x 3, and their labels.
const std::string kPixels(
    "\0\xff\0\0\0\x01"
    "\0\0\0\0\0\0",
    12);
const std::string kImages = big_endian({0x803, 2, 2, 3}) + kPixels;
const std::string kLabels = big_endian({0x801, 2}) + std::string("\x07\0", 2);

std::string error_of(const TemporaryFolder& folder, const ReadOptions& options = {}) {
  try {
    read_dataset(folder.path("a-images-idx3"), options);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_images(std::string_view images) {
  const TemporaryFolder folder;
  folder.write("a-labels-idx1", kLabels);
  const std::string path = folder.write("a-images-idx3", images);
  const std::string error = error_of(folder);
  EXPECT_TRUE(error.starts_with(path + ": ")) << error;
  return error.substr(std::min(error.size(), path.size() + 2));
}

TEST(Idx, GivesPicturesAndTheLabelsBeside) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a-images-idx3", compressed(kImages, "gzip"));
  folder.write("a-labels-idx1", kLabels);
  const Dataset data = read_dataset(path);
  EXPECT_EQ(data.num_samples(), 2u);
  EXPECT_EQ(data.dimension(), 6u);
  EXPECT_EQ(data.picture, (PictureShape{.height = 2, .width = 3}));
  EXPECT_EQ(data.labels, (Vector{7, 0}));
  EXPECT_EQ(data.rows.row(0), (std::vector<RowEntry>{{1, 255}, {5, 1}}));
  EXPECT_TRUE(data.rows.row(1).empty());
}

TEST(Idx, TakesAMatrixWhichIsNoPicture) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.idx2", big_endian({0x802, 2, 6}) + kPixels);
  folder.write("x.idx1", kLabels);
  const Dataset data = read_dataset(path);
  EXPECT_EQ(data.dimension(), 6u);
  EXPECT_FALSE(data.picture);
}

TEST(Idx, TakesLabelsFromWhereItIsTold) {
  const TemporaryFolder folder;
  const std::string path = folder.write("pictures", kImages);
  const std::string labels = folder.write("digits", kLabels);
  EXPECT_EQ(read_dataset(path, {.labels_path = labels}).labels, (Vector{7, 0}));
}

TEST(Idx, SaysWhichLabelsItLookedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a-images-idx3", kImages);
  EXPECT_EQ(error_of(folder), path + ": no labels: there is no file " +
                                  folder.path("a-labels-idx1") + "; give them with --labels FILE");
  EXPECT_EQ(error_of(folder, {.labels_path = folder.path("x")}),
            folder.path("x") + ": no such file");
  const std::string unnamed = folder.write("pictures", kImages);
  EXPECT_THROW(read_dataset(unnamed), DataError);
}

TEST(Idx, KnowsWhereLabelsLie) {
  EXPECT_EQ(idx_labels_path("images/t10k-images-idx3-ubyte.xz"),
            "images/t10k-labels-idx1-ubyte.xz");
  EXPECT_EQ(idx_labels_path("t10k-images-idx3-ubyte"), "t10k-labels-idx1-ubyte");
  EXPECT_EQ(idx_labels_path("images/a9a"), "");
}

TEST(Idx, RefusesAnotherCountOfLabels) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a-images-idx3", kImages);
  const std::string labels = folder.write("a-labels-idx1", big_endian({0x801, 1}) + "x");
  EXPECT_EQ(error_of(folder),
            labels + ": expected 2 labels, one for each sample of " + path + ", got 1");
}

TEST(Idx, RefusesLabelsThatAreNone) {
  const TemporaryFolder folder;
  folder.write("a-images-idx3", kImages);
  const std::string labels = folder.write("a-labels-idx1", kImages);
  EXPECT_EQ(error_of(folder),
            labels + ": expected IDX magic 0x00000801 (labels), got 0x00000803 (pictures)");
}

TEST(Idx, RefusesImagesThatAreNone) {
  const std::string expected =
      "expected IDX magic 0x00000803 (pictures) or 0x00000802 (a matrix), got ";
  EXPECT_EQ(error_of_images(kLabels), expected + "0x00000801 (labels)");
  EXPECT_EQ(error_of_images(big_endian({0xd03, 2, 2, 3})), expected + "0x00000d03 (floats)");
  EXPECT_EQ(error_of_images(big_endian({0x804, 2, 2, 3})),
            expected + "0x00000804 (another number of dimensions)");
  EXPECT_EQ(error_of_images(big_endian({0x803, 0, 2, 3})), "expected samples, got none");
  EXPECT_EQ(error_of_images(big_endian({0x803, 2, 0, 3})),
            "expected 1 to 16777216 pixels a picture, got 0");
  EXPECT_EQ(error_of_images(big_endian({0x803, 1, 0xffffffff, 0xffffffff})),
            "expected 1 to 16777216 pixels a picture, got 18446744065119617025");
}

TEST(Idx, RefusesTooFewBytesAndTooMany) {
  EXPECT_EQ(error_of_images(kImages.substr(0, 7)), "expected an IDX header, got fewer bytes");
  EXPECT_EQ(error_of_images(kImages.substr(0, kImages.size() - 1)),
            "expected 12 bytes after the IDX header, got 11");
  EXPECT_EQ(error_of_images(kImages + "x"), "expected 12 bytes after the IDX header, got more");
  EXPECT_EQ(error_of_images(big_endian({0x803, 0xffffffff, 0x01000000, 1}) + kPixels),
            "expected 72057594021150720 bytes after the IDX header, got 12");
}

}  // namespace
}  // namespace asynprox
