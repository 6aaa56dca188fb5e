#include "asynprox/report/json_text.h"

#include <fmt/format.h>

#include <cmath>

namespace asynprox {

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      quoted += c;
  }
  return escape_controls(quoted + "\"");
}

std::string escape_controls(std::string_view json) {
  std::string escaped;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
    const bool two_bytes = byte == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F
    if (byte != 0x7f && !two_bytes) {
      escaped += json[i];
      continue;
    }
    escaped += fmt::format("\\u{:04x}", two_bytes ? next : byte);
    if (two_bytes) ++i;
  }
  return escaped;
}

}  // namespace asynprox
