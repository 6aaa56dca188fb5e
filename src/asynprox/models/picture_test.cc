#include "asynprox/models/picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string picture_of(const Vector& x, PictureShape shape, std::string_view name) {
  const TemporaryFolder folder;
  write_picture(x, shape, folder.path(name));
  std::ifstream stream(folder.path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The grey of every pixel, the header checked and taken away.
std::vector<int> greys(const Vector& x, PictureShape shape) {
  const std::string bytes = picture_of(x, shape, "x.pgm");
  const std::string header = fmt::format("P5\n{} {}\n255\n", shape.width, shape.height);
  EXPECT_TRUE(bytes.starts_with(header));
  std::vector<int> result;
  for (const char c : bytes.substr(header.size())) result.push_back(static_cast<unsigned char>(c));
  return result;
}

int count(const std::string& text, std::string_view piece) {
  int found = 0;
  for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

std::string error_of(const Vector& x, PictureShape shape, const std::string& path) {
  try {
    write_picture(x, shape, path);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Picture, HasOneBytePerPixelThatRisesWithTheCoefficient) {
  for (const double lowest : {0.0, -1.0}) {
    Vector x(35);
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = lowest + (1 - lowest) * Random(2).uniform_at(j);
    const std::vector<int> grey = greys(x, {.height = 5, .width = 7});
    ASSERT_EQ(grey.size(), 35U);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) EXPECT_TRUE(x[i] >= x[j] || grey[i] <= grey[j]);
  }
}

TEST(Picture, IsTheSameHoweverTheCoefficientsAreScaled) {
  const PictureShape shape{.height = 2, .width = 2};
  for (const double factor : {1e-320, 1e-3, 1e307})
    EXPECT_EQ(greys({2 * factor, 4 * factor, 0, 0}, shape), greys({2, 4, 0, 0}, shape));
}

TEST(Picture, GoesFromBlackToWhiteWithGreyInTheMiddleWhereSomeAreNegative) {
  const PictureShape shape{.height = 1, .width = 4};
  EXPECT_EQ(greys({0, 1, 2, 4}, shape), (std::vector<int>{0, 64, 128, 255}));
  EXPECT_EQ(greys({-4, 0, 2, 4}, shape), (std::vector<int>{0, 128, 191, 255}));
  EXPECT_EQ(greys({0, 0, 0, -0.0}, shape), (std::vector<int>{0, 0, 0, 0}));
}

TEST(Picture, EndsInZerosWhereThereAreFewerCoefficientsThanPixels) {
  const PictureShape shape{.height = 2, .width = 2};
  EXPECT_EQ(greys({3}, shape), greys({3, 0, 0, 0}, shape));
  EXPECT_EQ(greys({}, shape), greys({0, 0, 0, 0}, shape));
}

TEST(Picture, IsDrawnWithOneRectanglePerPixelThatIsNotBackground) {
  EXPECT_EQ(
      picture_of({0, 2, 1e-9, -1, 0}, {.height = 2, .width = 3}, "x.svg"),
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2" width="30" height="20" shape-rendering="crispEdges">
<title>5 coefficients as 2 rows of 3, the largest in magnitude 2</title>
<rect width="3" height="2" fill="#ffffff"/>
<rect x="1" y="0" width="1" height="1" fill="#102a5c"/>
<rect x="0" y="1" width="1" height="1" fill="#d89d84"/>
</svg>
)");
}

TEST(Picture, HasAsManyRectanglesAsVisibleCoefficients) {
  Vector x(784);
  for (std::size_t j = 0; j < x.size(); j += 3) x[j] = 1 + Random(2).uniform_at(j);
  const std::string text = picture_of(x, {.height = 28, .width = 28}, "x.svg");
  EXPECT_EQ(count(text, "<rect "), 1 + 262);
}

TEST(Picture, RefusesWhatItCannotShow) {
  const TemporaryFolder folder;
  const PictureShape shape{.height = 2, .width = 2};
  EXPECT_EQ(error_of({1}, shape, "x.png"),
            "x.png: expected a picture's name to end in .pgm or .svg");
  const std::string path = folder.path("x.pgm");
  EXPECT_EQ(error_of(Vector(5), shape, path),
            "picture: expected at most 2 x 2 coefficients, got 5");
  EXPECT_EQ(error_of({1, NAN}, shape, path), "picture: expected finite coefficients");
  EXPECT_EQ(error_of({1}, {.height = 0, .width = 2}, path),
            "picture: expected a height and a width of at least 1, got 0 and 2");
  EXPECT_EQ(error_of({1}, {.height = 1 << 30, .width = 1 << 30}, path),
            "picture: expected at most 268435456 pixels, got 1073741824 x 1073741824");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Picture, SaysWhereItCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_picture({1}, {.height = 1, .width = 1}, folder.path("absent/x.svg")), Error);
}

// Two rows of two pixels, for outputs a and b: a0 a1 b0 b1 / a2 a3 b2 b3.
TEST(Picture, OfSeveralOutputsHasThemSideBySide) {
  const FittedModel model{.loss = "multinomial",
                          .outputs = 2,
                          .x = {0, 0.4, 0.1, 0.5, 0.2, 0.6, 0.3, 1},
                          .classes = {0, 1},
                          .picture = PictureShape{.height = 2, .width = 2}};
  const TemporaryFolder folder;
  write_picture(model, folder.path("x.pgm"));
  std::ifstream stream(folder.path("x.pgm"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(bytes,
            picture_of({0, 0.1, 0.4, 0.5, 0.2, 0.3, 0.6, 1}, {.height = 2, .width = 4}, "y.pgm"));
  EXPECT_THROW(write_picture({.loss = "pca", .x = {1}}, folder.path("x.pgm")), ContractError);
}

}  // namespace
}  // namespace asynprox
