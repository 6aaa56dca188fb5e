// Decimal digits eight at a time, without a branch on how many there are: in data the lengths of
// numbers cannot be predicted, and a wrong guess costs more than reading a number.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace asynprox {

// Little-endian: the first character is the lowest byte.
static_assert(std::endian::native == std::endian::little);

struct Digits {
  std::uint64_t number = 0;  // that the digits are
  int count = 0;             // 0 to 8
};

// The digits that `text`, of which at least 8 bytes can be read, begins with.
inline Digits leading_digits(const char* text) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, sizeof(word));
  const std::uint64_t digits = word ^ 0x3030303030303030;
  // A byte's top bit says that it is no digit. A carry only reaches bytes behind one that is none.
  const std::uint64_t others = (digits | (digits + 0x7676767676767676)) & 0x8080808080808080;
  const int count = std::countr_zero(others) / 8;  // 8 if there are no others
  if (count == 0) return {};
  // Zeros in front; then pairs, fours and all eight are put together at once.
  const std::uint64_t ones = digits << (64 - 8 * count);
  const std::uint64_t pairs = (ones * 10 + (ones >> 8)) & 0x00ff00ff00ff00ff;
  const std::uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000ffff0000ffff;
  return {(fours * 10000 + (fours >> 32)) & 0xffffffff, count};
}

struct ShortDecimal {
  double value = 0;
  const char* end = nullptr;  // null where the text begins with no number, or with one that is not
                              // short: more than 15 digits, an exponent behind it, a plus sign
};

// The number that `text`, of which at least kShortDecimalBytes can be read, begins with: digits, or
// digits with a point among or behind them, after an optional minus. Rounded correctly: the digits,
// as a whole number, and the power of ten that divides them are doubles without an error.
inline constexpr std::size_t kShortDecimalBytes = 32;

inline ShortDecimal short_decimal(const char* text) {
  constexpr std::array<double, 17> kTens = {1,   1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                            1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16};
  constexpr std::array<std::uint64_t, 9> kWholeTens = {
      1, 10, 100, 1000, 10000, 100'000, 1'000'000, 10'000'000, 100'000'000};
  const bool minus = *text == '-';
  text += minus ? 1 : 0;
  const Digits whole = leading_digits(text);
  const char* end = text + whole.count;
  if (whole.count == 0 || whole.count == 8) return {};
  std::uint64_t number = whole.number;
  double value = static_cast<double>(number);
  if (*end == '.') {
    const Digits first = leading_digits(++end);
    end += first.count;
    number = number * kWholeTens[static_cast<std::size_t>(first.count)] + first.number;
    int places = first.count;
    if (first.count == 8) {
      const Digits second = leading_digits(end);
      end += second.count;
      number = number * kWholeTens[static_cast<std::size_t>(second.count)] + second.number;
      places += second.count;
    }
    if (places == 0 || whole.count + places > 15) return {};
    value = static_cast<double>(number) / kTens[static_cast<std::size_t>(places)];
  }
  if (*end == 'e' || *end == 'E') return {};
  return {minus ? -value : value, end};
}

}  // namespace asynprox
