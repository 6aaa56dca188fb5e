// Large pieces of memory: aligned to cache lines, in large pages where the system has them, and
// given back to it when the last of their users is gone.
#pragma once

#include <cstddef>
#include <memory>

namespace asynprox {

inline constexpr std::size_t kCacheLine = 64;

// `size` bytes, to be written before they are read.
std::shared_ptr<std::byte> allocate_buffer(std::size_t size);

}  // namespace asynprox
