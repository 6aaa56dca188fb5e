#include "asynprox/data/readers/number_token.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>

namespace asynprox {
namespace {

using Kind = NumberToken::Kind;

// Most values are short whole numbers, which need no rounding.
constexpr std::size_t kExactDigits = 15;

bool is_short_whole(std::string_view text) {
  if (text.empty() || text.size() > kExactDigits) return false;
  for (const char c : text)
    if (c < '0' || c > '9') return false;
  return true;
}

double short_whole(std::string_view text) {
  std::int64_t number = 0;
  for (const char c : text) number = 10 * number + (c - '0');
  return static_cast<double>(number);
}

}  // namespace

NumberToken number_token(std::string_view text) {
  if (is_short_whole(text)) return {short_whole(text), Kind::finite};
  // fast_float takes no plus sign.
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const bool two_signs = text.size() != digits.size() && digits.starts_with('-');
  const char* const end = digits.data() + digits.size();
  double value = 0;
  const auto [stop, error] = fast_float::from_chars(digits.data(), end, value);
  if (digits.empty() || two_signs || error != std::errc() || stop != end)
    return {0, Kind::not_a_number};
  return {value, std::isfinite(value) ? Kind::finite : Kind::not_finite};
}

std::string quoted_token(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kShown)) {
    const bool prints = c >= ' ' && c <= '~';
    shown += prints ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown + (text.size() > kShown ? "...'" : "'");
}

}  // namespace asynprox
