// Memory that rows own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "asynprox/linalg/buffer.h"

namespace asynprox {

// The three arrays of rows in one buffer, each from a cache line on.
class RowBuffer {
 public:
  RowBuffer() = default;
  // Room for so many offsets, and for so many entries.
  RowBuffer(std::size_t num_offsets, std::size_t num_entries, std::size_t column_size,
            std::size_t value_size)
      : offsets_(num_offsets * sizeof(std::uint64_t)),
        columns_(num_entries * column_size),
        values_(num_entries * value_size),
        memory_(allocate_buffer(padded(offsets_) + padded(columns_) + padded(values_))) {}

  std::span<std::byte> offsets() const { return {memory_.get(), offsets_}; }
  std::span<std::byte> columns() const { return {memory_.get() + padded(offsets_), columns_}; }
  std::span<std::byte> values() const {
    return {memory_.get() + padded(offsets_) + padded(columns_), values_};
  }
  std::shared_ptr<const void> owner() const { return memory_; }

 private:
  static std::size_t padded(std::size_t size) {
    return (size + kCacheLine - 1) / kCacheLine * kCacheLine;
  }

  std::size_t offsets_ = 0, columns_ = 0, values_ = 0;
  std::shared_ptr<std::byte> memory_;
};

}  // namespace asynprox
