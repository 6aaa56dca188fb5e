// An array of fixed size for random access: in large pages where the system has them. At d = 1e6
// most accesses to ordinary pages would miss the processor's table of addresses.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "asynprox/linalg/buffer.h"

namespace asynprox {

template <class T>
  requires std::is_trivially_copyable_v<T>
class LargeArray {
 public:
  // Every element is T{}.
  explicit LargeArray(std::size_t size)
      : size_(size), memory_(size > 0 ? allocate_buffer(size * sizeof(T)) : nullptr) {
    std::fill_n(data(), size_, T{});
  }
  LargeArray(LargeArray&&) noexcept = default;
  LargeArray& operator=(LargeArray&&) noexcept = default;

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

  T* data() { return reinterpret_cast<T*>(memory_.get()); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.get()); }

 private:
  std::size_t size_;
  std::shared_ptr<std::byte> memory_;
};

}  // namespace asynprox
