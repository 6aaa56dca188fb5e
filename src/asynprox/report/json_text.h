// Pieces of JSON as text, for small objects that need no library.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

// The shortest number that reads back the same; infinite ones are the strings "inf" and "-inf".
std::string json_number(double value);

// In double quotes, with what JSON does not allow inside them escaped, and every other control
// character, which a terminal would obey.
std::string json_string(std::string_view text);

}  // namespace asynprox
