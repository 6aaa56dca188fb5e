// What was typed, as messages repeat it.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

// The text itself, or of one of more than 100 bytes the first 60, at the end of a character of
// UTF-8, and "...".
inline std::string shortened(std::string_view text) {
  constexpr std::size_t kUncutMax = 100, kKept = 60;
  if (text.size() <= kUncutMax) return std::string(text);
  std::size_t size = kKept;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return std::string(text.substr(0, size)) + "...";
}

}  // namespace asynprox
