// Text of a file (a label, a name, a path) as a terminal may show it: what would move the cursor,
// change colours or the direction of writing, or give the terminal a command, is shown as \xNN.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

// On one line. Control characters (U+0000 to U+001F, U+007F to U+009F), separators of lines, marks
// of direction and bytes that are not UTF-8 become \xNN, a byte each; all else stays as it is.
std::string printable(std::string_view text);

// The same, but line feeds stay.
std::string printable_lines(std::string_view text);

}  // namespace asynprox
