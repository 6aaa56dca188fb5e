#include "asynprox/data/readers/read_numbers.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string error_of(std::string_view text) {
  const TemporaryFolder folder;
  try {
    read_numbers(folder.write("file", text));
  } catch (const DataError& error) {
    return std::filesystem::path(error.what()).filename().string();
  }
  return "no error";
}

TEST(ReadNumbers, TakesOneALineAndSkipsTheRest) {
  const TemporaryFolder folder;
  const std::string text = "# weights\n1\n\n  +2.5e0 # two and a half\r\n\t-3";
  EXPECT_EQ(read_numbers(folder.write("plain", text)), (std::vector<double>{1, 2.5, -3}));
  EXPECT_EQ(read_numbers(folder.write("packed", compressed(text, "zstd"))),
            (std::vector<double>{1, 2.5, -3}));
  EXPECT_TRUE(read_numbers(folder.write("empty", "")).empty());
}

TEST(ReadNumbers, CountsLinesOverBlocks) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "12345\n";
  EXPECT_EQ(error_of(text + "x\n"), "file:50001: expected a number, got 'x'");
}

TEST(ReadNumbers, RefusesWhatIsNoFiniteNumber) {
  EXPECT_EQ(error_of("1\n2 3\n"), "file:2: expected a number, got '2 3'");
  EXPECT_EQ(error_of("0x1\n"), "file:1: expected a number, got '0x1'");
  EXPECT_EQ(error_of("\nnan\n"), "file:2: expected a finite number, got 'nan'");
  EXPECT_EQ(error_of("1e999\n"), "file:1: expected a finite number, got '1e999'");
  EXPECT_THROW(read_numbers("no/such/file"), DataError);
}

}  // namespace
}  // namespace asynprox
