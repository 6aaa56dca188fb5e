#include "asynprox/base/spec.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

using Settings = std::vector<Spec::Setting>;

std::string error_of(std::string_view text) {
  try {
    parse_spec(text);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Spec, IsANameAlone) { EXPECT_EQ(parse_spec("zero"), (Spec{"zero", {}})); }

TEST(Spec, HasABareFirstValue) {
  EXPECT_EQ(parse_spec("l1:1e-4"), (Spec{"l1", Settings{{"", "1e-4"}}}));
}

TEST(Spec, SplitsParametersAtCommas) {
  EXPECT_EQ(parse_spec("elastic-net:l1=1e-4,l2=1e-3"),
            (Spec{"elastic-net", Settings{{"l1", "1e-4"}, {"l2", "1e-3"}}}));
}

TEST(Spec, TakesQuotedValuesAsTheyAre) {
  EXPECT_EQ(parse_spec("weighted-l1:1e-3,weights=\"my,file=1.txt\""),
            (Spec{"weighted-l1", Settings{{"", "1e-3"}, {"weights", "my,file=1.txt"}}}));
}

TEST(Spec, KeepsColonsInValues) {
  EXPECT_EQ(parse_spec("file:C:x"), (Spec{"file", Settings{{"", "C:x"}}}));
}

TEST(Spec, RoundTripsThroughItsText) {
  for (const std::string text : {"zero", "l1:1e-4", "box:lower=0,upper=1", "file:\"a,b=c\"",
                                 "weighted-l1:1e-3,weights=\"my,file.txt\""})
    EXPECT_EQ(parse_spec(text).text(), text);
}

TEST(Spec, RefusesWhatItDoesNotUnderstandNamingThePlace) {
  EXPECT_EQ(error_of(""), "spec '', character 1: expected a name");
  EXPECT_EQ(error_of(":3"), "spec ':3', character 1: expected a name");
  EXPECT_EQ(error_of("l1:"), "spec 'l1:', character 4: expected KEY=VALUE");
  EXPECT_EQ(error_of("box:0,1"), "spec 'box:0,1', character 7: expected KEY=VALUE, got '1'");
  EXPECT_EQ(error_of("box:lower="), "spec 'box:lower=', character 11: expected a value");
  EXPECT_EQ(error_of("box:=1"), "spec 'box:=1', character 5: expected a key before '='");
  EXPECT_EQ(error_of("l1:a=b=c"),
            "spec 'l1:a=b=c', character 7: a value with '=' needs double quotes");
  EXPECT_EQ(error_of("f:x=\"a"), "spec 'f:x=\"a', character 5: expected a closing double quote");
  EXPECT_EQ(error_of("f:x=\"a\"b"), "spec 'f:x=\"a\"b', character 8: expected ',' after the quote");
  EXPECT_EQ(error_of("l1:1,"), "spec 'l1:1,', character 6: expected KEY=VALUE");
}

TEST(Number, IsAllOfTheText) {
  EXPECT_EQ(parse_number("1e-3", "lambda"), 1e-3);
  EXPECT_EQ(parse_number("+2", "lambda"), 2);
  EXPECT_EQ(parse_number("-.5", "lambda"), -0.5);
  for (const std::string text : {"", "1x", "nan", "inf", "1e999", "0x10", "+-1", "1 ", " 1", "--1"})
    EXPECT_THROW(parse_number(text, "lambda"), ContractError) << text;
}

TEST(ParseNumbers, TakesAListWithSlashes) {
  EXPECT_EQ(parse_numbers("3", "speeds"), std::vector<double>{3});
  EXPECT_EQ(parse_numbers("1/-2/0.25", "speeds"), (std::vector<double>{1, -2, 0.25}));
  for (const std::string text : {"", "/", "1/", "/1", "1//2", "1/x", "1, 2"})
    EXPECT_THROW(parse_numbers(text, "speeds"), ContractError) << text;
}

}  // namespace
}  // namespace asynprox
