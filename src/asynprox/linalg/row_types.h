// From the names of stored types to the types.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "asynprox/linalg/rows.h"

namespace asynprox {

// The value type of rows whose entries are all 1: nothing is stored.
struct Ones {};

// The column type of dense rows, and their columns from `first` on: nothing is stored.
struct AllColumns {
  std::size_t first = 0;
  std::size_t operator[](std::size_t entry) const { return first + entry; }
  AllColumns operator+(std::size_t entries) const { return {first + entries}; }
};

// Calls work(std::type_identity<T>{}) with the type that is named.
auto with_type(ColumnType type, auto&& work) {
  switch (type) {
    case ColumnType::u16: return work(std::type_identity<std::uint16_t>{});
    case ColumnType::u32: return work(std::type_identity<std::uint32_t>{});
    case ColumnType::u64: break;
  }
  return work(std::type_identity<std::uint64_t>{});
}
auto with_type(ValueType type, auto&& work) {
  switch (type) {
    case ValueType::ones: return work(std::type_identity<Ones>{});
    case ValueType::u8: return work(std::type_identity<std::uint8_t>{});
    case ValueType::f32: return work(std::type_identity<float>{});
    case ValueType::f64: break;
  }
  return work(std::type_identity<double>{});
}

// Bytes of one entry.
inline std::size_t size_of(ColumnType type) {
  return with_type(type, []<class T>(std::type_identity<T>) { return sizeof(T); });
}
inline std::size_t size_of(ValueType type) {
  return with_type(
      type, []<class T>(std::type_identity<T>) { return std::same_as<T, Ones> ? 0 : sizeof(T); });
}

inline std::size_t size_of(OffsetType type) { return type == OffsetType::u64 ? 8 : 4; }

// The largest d whose columns, 0 to d - 1, all fit an unsigned type of up to 32 bits.
template <std::unsigned_integral Column>
constexpr std::uint64_t kColumnsMax = std::uint64_t{std::numeric_limits<Column>::max()} + 1;

inline ColumnType narrowest_columns(std::uint64_t num_columns) {
  return num_columns <= kColumnsMax<std::uint16_t> ? ColumnType::u16 : ColumnType::u32;
}

// The narrowest type that gives each of these values back to the bit.
ValueType narrowest_values(std::span<const double> values);

// What bytes mean that were written as, and are aligned for, an array of T.
template <class T>
std::span<const T> array_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace asynprox
