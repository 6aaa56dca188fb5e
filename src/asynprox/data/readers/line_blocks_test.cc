#include "asynprox/data/readers/line_blocks.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

constexpr std::size_t kBlock = 1000, kMax = std::size_t{1} << 20;

// All lines of the text, or the error.
std::string read(const std::string& text, Newlines newlines = Newlines::all) {
  const TemporaryFolder folder;
  InputStream stream(folder.write("file", compressed(text, "gzip")));
  LineBlocks blocks(stream, kBlock, newlines, kMax);
  std::string lines;
  try {
    for (std::string block = blocks.next(); !block.empty(); block = blocks.next()) lines += block;
  } catch (const DataError& error) {
    const std::string message = error.what();
    return message.substr(message.rfind('/') + 1);
  }
  return lines;
}

TEST(LineBlocks, HoldLinesUpToTheLimit) {
  const std::string longest = std::string(kMax - kBlock, 'x') + "\n";
  const std::string text = "a\n" + longest + longest + "b\n" + std::string(kMax - kBlock, 'y');
  EXPECT_EQ(read(text), text);
}

TEST(LineBlocks, RefuseALongerOne) {
  const std::string words = "file: expected lines of at most 1 MiB, got a longer one";
  EXPECT_EQ(read("a\n" + std::string(2 * kMax, 'x') + "\nb\n"), words);
  EXPECT_EQ(read(std::string(2 * kMax, 'x')), words);
  EXPECT_EQ(read("\"" + std::string(2 * kMax, '\n'), Newlines::outside_quotes),
            words + " (or a quote that is never closed)");
  EXPECT_EQ(read(std::string(2 * kMax, '\n'), Newlines::outside_quotes),
            std::string(2 * kMax, '\n'));
}

}  // namespace
}  // namespace asynprox
