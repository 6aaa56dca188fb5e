#include "asynprox/data/readers/number_token.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

using Kind = NumberToken::Kind;

TEST(NumberToken, IsTheNearestDouble) {
  for (const auto& [text, value] :
       std::vector<std::pair<std::string, double>>{{"0", 0},
                                                   {"255", 255},
                                                   {"+1", 1},
                                                   {"-1", -1},
                                                   {".5", .5},
                                                   {"2.", 2},
                                                   {"1e-3", 1e-3},
                                                   {"-1.5E+2", -150},
                                                   {"999999999999999", 999999999999999},
                                                   {"12345678901234567890", 12345678901234567890.0},
                                                   {"0.1000000000000000055511151231257827", 0.1},
                                                   {"1e-999", 0}}) {
    EXPECT_EQ(number_token(text).kind, Kind::finite) << text;
    EXPECT_EQ(number_token(text).value, value) << text;
  }
}

TEST(NumberToken, TellsWhatIsNotFiniteFromWhatIsNoNumber) {
  for (const char* text : {"nan", "-nan", "inf", "+inf", "-Infinity", "1e999", "-1e999"})
    EXPECT_EQ(number_token(text).kind, Kind::not_finite) << text;
  for (const char* text : {"", "+", "-", ".", "+-1", "++1", "0x10", "1x", "1 ", " 1", "1e", "1,5"})
    EXPECT_EQ(number_token(text).kind, Kind::not_a_number) << text;
  EXPECT_EQ(number_token(std::string_view("1\0", 2)).kind, Kind::not_a_number);
}

TEST(QuotedToken, IsShortAndPrints) {
  EXPECT_EQ(quoted_token("3=2"), "'3=2'");
  EXPECT_EQ(quoted_token(std::string_view("a\0\n\xff", 4)), "'a\\x00\\x0a\\xff'");
  EXPECT_EQ(quoted_token(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_EQ(quoted_token(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
}

}  // namespace
}  // namespace asynprox
