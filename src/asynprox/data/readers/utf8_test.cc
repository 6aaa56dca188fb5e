#include "asynprox/data/readers/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace asynprox {
namespace {

// By the table of RFC 3629.
std::string encoded(std::uint32_t c) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xc0 | c >> 6), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xe0 | c >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | c >> 18), tail(12), tail(6), tail(0)};
}

TEST(Utf8, IsEveryCharacterInItsShortestFormButSurrogates) {
  for (std::uint32_t c = 0; c <= 0x110400; ++c) {
    const bool expected = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
    ASSERT_EQ(is_utf8("a" + encoded(c) + "z"), expected) << c;
  }
}

TEST(Utf8, IsNotWhatIsCutShortOrLongerThanNeeded) {
  for (const std::uint32_t c : {0xe9U, 0x20acU, 0x1f600U}) {
    const std::string text = encoded(c);
    for (std::size_t size = 1; size < text.size(); ++size) {
      EXPECT_FALSE(is_utf8(text.substr(0, size)));
      EXPECT_FALSE(is_utf8(text.substr(0, size) + "a"));
      EXPECT_FALSE(is_utf8(text.substr(size)));
    }
  }
  EXPECT_FALSE(is_utf8("\xc0\xaf"));
  EXPECT_FALSE(is_utf8("\xc1\xbf"));
  EXPECT_FALSE(is_utf8("\xe0\x9f\xbf"));
  EXPECT_FALSE(is_utf8("\xf0\x8f\xbf\xbf"));
  EXPECT_FALSE(is_utf8("\xf8\x88\x80\x80\x80"));
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_TRUE(is_utf8(""));
}

}  // namespace
}  // namespace asynprox
