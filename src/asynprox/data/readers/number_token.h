// What text readers share: a number that is all of a token, and a token as messages show it.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

struct NumberToken {
  enum class Kind { finite, not_finite, not_a_number };
  double value = 0;
  Kind kind = Kind::not_a_number;
};

// Decimal, with an optional sign and exponent, rounded to the nearest double. nan, inf and what is
// too large for a double (1e999) are not finite; anything else that is not all number is none.
NumberToken number_token(std::string_view text);

// 'text' in quotes, on one line: bytes that do not print as \xNN, shortened when long.
std::string quoted_token(std::string_view text);

}  // namespace asynprox
