// Pieces of JSON as text, for small objects that need no library.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

// The shortest number that reads back the same; infinite ones are the strings "inf" and "-inf".
std::string json_number(double value);

// In double quotes, with every control character, and what else JSON does not allow there, escaped.
std::string json_string(std::string_view text);

// JSON text that means the same, without the control characters that JSON allows inside strings
// (U+007F to U+009F), which a terminal would obey.
std::string escape_controls(std::string_view json);

}  // namespace asynprox
