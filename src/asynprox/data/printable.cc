#include "asynprox/data/printable.h"

#include <fmt/format.h>

#include "asynprox/data/readers/utf8.h"

namespace asynprox {
namespace {

// Of a whole character: one byte, or several of UTF-8.
bool is_shown(std::string_view character) {
  if (character.size() == 1) return character[0] >= ' ' && character[0] <= '~';
  if (character.size() == 2) return character >= "\u00a0";
  if (character.size() == 4) return true;
  const auto within = [&](std::string_view first, std::string_view last) {
    return character >= first && character <= last;
  };
  const bool direction_or_separator =
      within("\u200b", "\u200f") || within("\u2028", "\u202e") || within("\u2066", "\u2069");
  return !direction_or_separator && character != "\ufeff";
}

std::string shown(std::string_view text, bool line_feeds) {
  std::string result;
  while (!text.empty()) {
    const std::size_t known = utf8_character_size(text);
    const std::string_view character = text.substr(0, known == 0 ? 1 : known);
    if ((known > 0 && is_shown(character)) || (line_feeds && character == "\n")) {
      result += character;
    } else {
      for (const char byte : character)
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, /*line_feeds=*/false); }
std::string printable_lines(std::string_view text) { return shown(text, /*line_feeds=*/true); }

}  // namespace asynprox
