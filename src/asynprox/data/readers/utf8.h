// Text that other programs can read.
#pragma once

#include <cstddef>
#include <string_view>

namespace asynprox {

// Whether the bytes are UTF-8 as RFC 3629 has it: every character in its shortest form, up to
// U+10FFFF, and none of the surrogates U+D800 to U+DFFF.
bool is_utf8(std::string_view text);

// The number of bytes of the first character of `text`, which is not empty; 0 where that is not
// UTF-8.
std::size_t utf8_character_size(std::string_view text);

}  // namespace asynprox
