#include "asynprox/report/json_text.h"

#include <fmt/format.h>

#include <cmath>

namespace asynprox {

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == '"' || byte == '\\') quoted += '\\';
    if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F in UTF-8
      quoted += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      quoted += text[i];
    }
  }
  return quoted + "\"";
}

}  // namespace asynprox
