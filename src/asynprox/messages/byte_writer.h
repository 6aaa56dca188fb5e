// Writes the body of a message into a buffer that keeps its capacity from message to message.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asynprox/messages/frame.h"

namespace asynprox {

// Numbers are written as they lie in memory.
static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  // What the buffer held is gone; room for the head of the frame comes first.
  ByteWriter(std::vector<std::byte>& frame, std::size_t body_bytes) : frame_(frame) {
    frame_.clear();
    frame_.reserve(kFrameHeadBytes + body_bytes);
    frame_.resize(kFrameHeadBytes);
  }

  template <class Number>
    requires std::is_integral_v<Number>
  void add(Number number) {
    add_bytes(std::as_bytes(std::span(&number, 1)));
  }

  // An enumerator; its values count from 0.
  template <class Enum>
    requires std::is_enum_v<Enum>
  void add_choice(Enum choice) {
    add(static_cast<std::uint8_t>(choice));
  }

  void add_truth(bool truth) { add(static_cast<std::uint8_t>(truth)); }

  // How many there are, then they themselves.
  template <class Number>
  void add_list(std::span<const Number> numbers) {
    add(std::uint64_t{numbers.size()});
    add_bytes(std::as_bytes(numbers));
  }

  void add_text(std::string_view text, std::size_t bytes_max = kMessageTextMax) {
    const std::string_view kept = text.substr(0, bytes_max);
    add_list(std::span<const char>(kept));
  }

 private:
  void add_bytes(std::span<const std::byte> bytes) {
    frame_.insert(frame_.end(), bytes.begin(), bytes.end());
  }

  std::vector<std::byte>& frame_;
};

}  // namespace asynprox
