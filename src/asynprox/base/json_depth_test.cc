#include "asynprox/base/json_depth.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

std::string nested(int depth, const std::string& inside = "") {
  return std::string(depth, '[') + inside + std::string(depth, ']');
}

std::string complaint(std::string_view text) {
  try {
    check_json_depth(text, "file");
  } catch (const DataError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonDepth, MayBeSixtyFour) {
  for (const std::string& text : {nested(64), nested(64) + "\n" + nested(64), nested(63, "{}, {}"),
                                  nested(64, '"' + nested(100) + "\\\"" + nested(100) + '"')})
    EXPECT_EQ(complaint(text), "none") << text;
}

TEST(JsonDepth, IsRefusedFromThereOn) {
  const std::string words = "file: expected JSON of at most 64 levels, got more at byte ";
  EXPECT_EQ(complaint(nested(65)), words + "65");
  EXPECT_EQ(complaint(" " + nested(100'000)), words + "66");
  EXPECT_EQ(complaint(nested(64, "\"[\\\\\", {}")), words + "72");
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += R"({"a":)";
  EXPECT_EQ(complaint(objects), words + "321");
}

// They are not JSON, which the parser will say.
TEST(JsonDepth, OfBrokenTextIsNoMatter) {
  for (const std::string_view text : {"", "]]]]", "\"", "[\"\\", "{\"a\": [", "}{"})
    EXPECT_EQ(complaint(text), "none") << text;
}

}  // namespace
}  // namespace asynprox
