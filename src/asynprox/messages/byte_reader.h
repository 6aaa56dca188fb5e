// Reads the body of a message. No count in it is believed before it has been compared with the bytes
// that are left; nothing is allocated for a list that is not there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asynprox/base/errors.h"

namespace asynprox {

static_assert(std::endian::native == std::endian::little);

// Each throws DataError, naming the field.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  // A whole number from `min` to `max`.
  template <class Number>
    requires std::is_integral_v<Number>
  Number number(std::string_view field, Number min, Number max) {
    const auto read = raw<Number>(field);
    if (read < min || read > max)
      refuse(field, std::to_string(min) + " to " + std::to_string(max), std::to_string(read));
    return read;
  }

  // An enumerator up to `last`; its values count from 0.
  template <class Enum>
    requires std::is_enum_v<Enum>
  Enum choice(std::string_view field, Enum last) {
    return static_cast<Enum>(number<std::uint8_t>(field, 0, static_cast<std::uint8_t>(last)));
  }

  bool truth(std::string_view field) { return number<std::uint8_t>(field, 0, 1) == 1; }

  std::uint64_t word(std::string_view field) { return raw<std::uint64_t>(field); }

  // At most `count_max` numbers, in place of what the list held.
  template <class Number>
  void list(std::string_view field, std::uint64_t count_max, std::vector<Number>& numbers) {
    const std::size_t count = number<std::uint64_t>(field, 0, count_max);
    const auto bytes = take(field, count, sizeof(Number));
    numbers.resize(count);
    if (count > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  }

  void text(std::string_view field, std::uint64_t bytes_max, std::string& text) {
    const std::size_t count = number<std::uint64_t>(field, 0, bytes_max);
    const auto bytes = take(field, count, 1);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  void end() const {
    if (!rest_.empty()) refuse("end", "no more bytes", std::to_string(rest_.size()));
  }

 private:
  [[noreturn]] static void refuse(std::string_view field, const std::string& expected,
                                  const std::string& got) {
    throw DataError("message: " + std::string(field) + ": expected " + expected + ", got " + got);
  }

  template <class Number>
  Number raw(std::string_view field) {
    Number number;
    std::memcpy(&number, take(field, 1, sizeof(number)).data(), sizeof(number));
    return number;
  }

  std::span<const std::byte> take(std::string_view field, std::size_t count, std::size_t size) {
    if (count > rest_.size() / size)
      refuse(field, std::to_string(count) + " times " + std::to_string(size) + " bytes",
             std::to_string(rest_.size()));
    const auto taken = rest_.first(count * size);
    rest_ = rest_.subspan(count * size);
    return taken;
  }

  std::span<const std::byte> rest_;
};

}  // namespace asynprox
