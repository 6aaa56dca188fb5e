#include "asynprox/base/json_depth.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Behind the string whose opening quote is at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

}  // namespace

void check_json_depth(std::string_view text, const std::string& name) {
  int depth = 0;
  for (std::size_t at = text.find_first_of("\"[]{}"); at < text.size();) {
    const char mark = text[at];
    if (mark == '[' || mark == '{') ++depth;
    if (mark == ']' || mark == '}') --depth;
    if (depth > kJsonDepthMax)
      throw DataError(fmt::format("{}: expected JSON of at most {} levels, got more at byte {}",
                                  name, kJsonDepthMax, at + 1));
    at = text.find_first_of("\"[]{}", mark == '"' ? end_of_string(text, at) : at + 1);
  }
}

}  // namespace asynprox
