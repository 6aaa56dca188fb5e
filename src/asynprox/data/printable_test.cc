#include "asynprox/data/printable.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

TEST(Printable, KeepsWhatATerminalOnlyShows) {
  for (const std::string text : {"", "age (years)", "'\\x1b'", "\u00e9t\u00e9", "\u65e5\u672c",
                                 "\U0001f600", "\u00a0\u2027\u2030\u2065\u206a"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsTheBytesOfEveryControlCharacter) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable(std::string("\0\t\r\n\x7f", 5)), "\\x00\\x09\\x0d\\x0a\\x7f");
  EXPECT_EQ(printable("\u0080\u009b\u009f"), "\\xc2\\x80\\xc2\\x9b\\xc2\\x9f");
  for (int c = 0; c < 0x20; ++c)
    EXPECT_EQ(printable(std::string(1, static_cast<char>(c))).size(), 4);
}

TEST(Printable, ShowsTheBytesOfWhatChangesTheDirectionOrBreaksALine) {
  for (const std::string text :
       {"\u200b", "\u200f", "\u2028", "\u202a", "\u202e", "\u2066", "\u2069", "\ufeff"})
    EXPECT_EQ(printable(text).size(), 12) << printable(text);
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\x9b\xff"
                      "b"),
            "a\\x9b\\xffb");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
}

TEST(Printable, KeepsLineFeedsWhereLinesAreWanted) {
  EXPECT_EQ(printable_lines("a\nb\r\n\x1b"), "a\nb\\x0d\n\\x1b");
}

}  // namespace
}  // namespace asynprox
