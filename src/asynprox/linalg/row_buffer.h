// Memory that rows own: aligned to cache lines, in large pages where the system has them, and given
// back when the last of its users is gone.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace asynprox {

inline constexpr std::size_t kCacheLine = 64;

// `size` bytes, to be written before they are read.
std::shared_ptr<std::byte> allocate_buffer(std::size_t size);

// What bytes mean that were written as, and are aligned for, an array of T.
template <class T>
std::span<const T> array_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace asynprox
