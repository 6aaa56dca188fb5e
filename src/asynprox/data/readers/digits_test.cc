#include "asynprox/data/readers/digits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asynprox/base/random.h"
#include "asynprox/data/readers/number_token.h"

namespace asynprox {
namespace {

// The number at the start of `text`, with bytes behind it to look at.
ShortDecimal parse(const std::string& text, const std::string& behind = " 8:9 ") {
  static std::string buffer;
  buffer = text + behind + std::string(kShortDecimalBytes, '7');
  const ShortDecimal number = short_decimal(buffer.data());
  EXPECT_TRUE(number.end == nullptr || number.end - buffer.data() == std::ssize(text)) << text;
  return number;
}

TEST(LeadingDigits, AreCountedAndReadWhateverIsBehindThem) {
  const std::string digits = "90817263";
  for (int other = 0; other < 256; ++other) {
    if (other >= '0' && other <= '9') continue;
    for (std::size_t count = 0; count <= 8; ++count) {
      const std::string text =
          digits.substr(0, count) + static_cast<char>(other) + std::string(8, '\xff');
      const Digits found = leading_digits(text.data());
      ASSERT_EQ(found.count, static_cast<int>(count)) << other;
      ASSERT_EQ(found.number, count == 0 ? 0 : std::stoull(digits.substr(0, count))) << other;
    }
  }
}

// The other reader is right for every decimal; this one must agree, or leave it to that one.
TEST(ShortDecimal, IsToTheBitWhatEveryDecimalIsReadAs) {
  const Random random(5);
  int taken = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    const std::uint64_t whole = random.at(3 * i) >> random.index_at(3 * i + 1, 64);
    std::string text =
        fmt::format("{}{}", i % 5 == 0 ? "-" : "", whole % (i % 2 == 0 ? 100'000'000 : 1000));
    if (i % 3 != 0) {
      const std::string places =
          fmt::format("{:016}", random.at(3 * i + 2) % 10'000'000'000'000'000);
      text += "." + places.substr(0, random.index_at(i, 17));
    }
    const ShortDecimal number = parse(text);
    if (number.end == nullptr) continue;
    ++taken;
    const NumberToken expected = number_token(text);
    ASSERT_EQ(expected.kind, NumberToken::Kind::finite) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(number.value),
              std::bit_cast<std::uint64_t>(expected.value))
        << text;
  }
  EXPECT_GT(taken, 50'000);
}

TEST(ShortDecimal, LeavesToOthersWhatIsNotShort) {
  for (const std::string text :
       {"", "x", "+1", ".5", "5.", "--1", "12345678", "1e5", "1.5e5", "2E1", "0.1234567890123456",
        "1.123456789012345", "inf", "nan", "-"})
    EXPECT_EQ(parse(text).end, nullptr) << text;
  EXPECT_EQ(parse("1234567").value, 1234567);
  EXPECT_EQ(parse("0.12345678901234").value, 0.12345678901234);
  EXPECT_EQ(parse("-0.5", "\n").value, -0.5);
}

}  // namespace
}  // namespace asynprox
