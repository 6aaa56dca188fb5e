// State as data: from a type's list of fields (base/fields.h) follow its snapshot as bytes, what restores
// it, equality and a hash.
//
//   Snapshot s = snapshot(part);   restore(other, s);   other behaves as `part` from there on
//
// Bytes are little-endian: numbers in their own width, a bool in one byte, counts in eight. Fields follow
// each other without names. Equality is that of bytes, so that -0 is not 0, and a nan is itself.
//
// restore() trusts no count: one that needs more bytes than there are is a DataError, and so are bytes
// that are left over.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/fields.h"
#include "asynprox/base/hash.h"

namespace asynprox {

static_assert(std::endian::native == std::endian::little,
              "snapshots are written as they lie in memory");

using Snapshot = std::vector<std::byte>;

// A number, a bool or an enumeration: written as it lies in memory.
template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class SnapshotWriter {
 public:
  template <class T>
  void operator()(std::string_view, const T& value) {
    put(value);
  }

  const Snapshot& bytes() const { return bytes_; }
  Snapshot take() { return std::move(bytes_); }

  template <Scalar T>
  void put(T value) {
    add_bytes(&value, sizeof value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put_count(values.size());
    if constexpr (std::is_same_v<T, bool>)
      for (const bool value : values) put(value);
    else if constexpr (Scalar<T>)
      add_bytes(values.data(), values.size() * sizeof(T));
    else
      for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::deque<T>& values) {
    put_count(values.size());
    for (const T& value : values) put(value);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& values) {
    for (const T& value : values) put(value);
  }
  void put(std::string_view text) {
    put_count(text.size());
    add_bytes(text.data(), text.size());
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  // What is owned, or shared and immutable: by value.
  template <class T>
  void put(const std::unique_ptr<T>& value) {
    put(value != nullptr);
    if (value) put(*value);
  }
  template <class T>
  void put(const std::shared_ptr<T>& value) {
    put(value != nullptr);
    if (value) put(*value);
  }
  template <HasFields T>
  void put(const T& part) {
    visit_fields(part, *this);
  }
  // An interface, behind which there is a list of fields.
  template <class T>
    requires requires(const T& part, SnapshotWriter& writer) { part.save(writer); }
  void put(const T& part) {
    part.save(*this);
  }

  void put_count(std::size_t count) { put(std::uint64_t{count}); }
  void add_bytes(const void* data, std::size_t size) {
    if (size == 0) return;
    const auto* const first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

 private:
  Snapshot bytes_;
};

class SnapshotReader {
 public:
  // `names`: those that a string_view in a state may be.
  explicit SnapshotReader(std::span<const std::byte> bytes,
                          std::span<const std::string_view> names = {})
      : bytes_(bytes), names_(names) {}

  template <class T>
  void operator()(std::string_view, T& value) {
    get(value);
  }

  std::size_t left() const { return bytes_.size(); }
  void expect_end() const {
    if (!bytes_.empty()) fail("bytes are left over");
  }

  template <Scalar T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      take_bytes(&byte, 1);
      if (byte > 1) fail("expected 0 or 1");
      value = byte == 1;
    } else {
      take_bytes(&value, sizeof value);
    }
  }
  template <class T>
  void get(std::vector<T>& values) {
    constexpr std::size_t least = Scalar<T> ? sizeof(T) : 1;
    values.resize(count(least));
    if constexpr (std::is_same_v<T, bool>) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = get_bool();
    } else if constexpr (Scalar<T>) {
      take_bytes(values.data(), values.size() * sizeof(T));
    } else {
      for (T& value : values) get(value);
    }
  }
  template <class T>
  void get(std::deque<T>& values) {
    values.resize(count(1));
    for (T& value : values) get(value);
  }
  template <class T, std::size_t N>
  void get(std::array<T, N>& values) {
    for (T& value : values) get(value);
  }
  void get(std::string& text) {
    text.resize(count(1));
    take_bytes(text.data(), text.size());
  }
  template <class T>
  void get(std::optional<T>& value) {
    if (!get_bool()) return value.reset();
    get(value.emplace(T{}));  // emplace() alone asks too early where T is a nested class
  }
  template <class T>
  void get(std::unique_ptr<T>& value) {
    if (!get_bool()) return value.reset();
    if (!value) value = std::make_unique<T>();
    get(*value);
  }
  // A new object: others may hold the one before.
  template <class T>
  void get(std::shared_ptr<T>& value) {
    if (!get_bool()) return value.reset();
    auto fresh = std::make_shared<std::remove_const_t<T>>();
    get(*fresh);
    value = std::move(fresh);
  }
  template <HasFields T>
  void get(T& part) {
    visit_fields(part, *this);
  }
  template <class T>
    requires requires(T& part, SnapshotReader& reader) { part.restore(reader); }
  void get(T& part) {
    part.restore(*this);
  }
  // One of the names that are known, of which only the text was written.
  void get(std::string_view& name) {
    std::string text;
    get(text);
    const auto known = std::ranges::find(names_, text);
    if (known == names_.end()) fail("it names \"" + text + "\", which is not known here");
    name = *known;
  }

  // Of elements of at least so many bytes each.
  std::size_t count(std::size_t least) {
    std::uint64_t count = 0;
    get(count);
    if (count > left() / least) fail("a count is larger than what follows it");
    return static_cast<std::size_t>(count);
  }
  void take_bytes(void* data, std::size_t size) {
    if (size > left()) fail("it is too short");
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }

 private:
  bool get_bool() {
    bool value = false;
    get(value);
    return value;
  }
  [[noreturn]] static void fail(std::string_view what) {
    throw DataError("a snapshot cannot be used: " + std::string(what));
  }

  std::span<const std::byte> bytes_;
  std::span<const std::string_view> names_;
};

template <class Part>
Snapshot snapshot(const Part& part) {
  SnapshotWriter writer;
  writer.put(part);
  return writer.take();
}

// After a DataError `part` may be anything: restore a copy, where that matters.
template <class Part>
void restore(Part& part, std::span<const std::byte> bytes,
             std::span<const std::string_view> names = {}) {
  SnapshotReader reader(bytes, names);
  reader.get(part);
  reader.expect_end();
}

template <class Part>
bool same_state(const Part& a, const Part& b) {
  return snapshot(a) == snapshot(b);
}

inline std::uint64_t hash_of(const Snapshot& bytes) {
  Hash hash;
  hash.add(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], std::min(sizeof word, bytes.size() - i));
    hash.add(word);
  }
  return hash.value();
}
template <class Part>
std::uint64_t state_hash(const Part& part) {
  return hash_of(snapshot(part));
}

}  // namespace asynprox
