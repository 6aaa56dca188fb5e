#include "asynprox/data/readers/utf8.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace asynprox {
namespace {

constexpr std::uint32_t kLast = 0x10ffff, kSurrogatesBegin = 0xd800, kSurrogatesEnd = 0xe000;

}  // namespace

std::size_t utf8_character_size(std::string_view text) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte_at(0);
  if (first < 0x80) return 1;
  const auto size = static_cast<std::size_t>(std::countl_one(first));
  if (size < 2 || size > 4 || text.size() < size) return 0;
  std::uint32_t character = first & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte_at(i) & 0xc0) != 0x80) return 0;
    character = character << 6 | (byte_at(i) & 0x3fU);
  }
  // Two bytes hold characters from U+80 on, and each byte more begins where 5 bits end.
  const std::uint32_t least = size == 2 ? 0x80 : 1U << (5 * size - 4);
  const bool surrogate = character >= kSurrogatesBegin && character < kSurrogatesEnd;
  return character >= least && character <= kLast && !surrogate ? size : 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = utf8_character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace asynprox
