#include "asynprox/data/binary/binary_names.h"

#include <cstdint>
#include <cstring>

namespace asynprox {
namespace {

void append(std::uint64_t number, std::vector<std::byte>& bytes) {
  const auto more = std::as_bytes(std::span(&number, 1));
  bytes.insert(bytes.end(), more.begin(), more.end());
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::uint64_t index) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + 8 * index, sizeof(number));
  return number;
}

}  // namespace

std::vector<std::byte> packed_names(const Names& names) {
  std::vector<std::byte> bytes;
  if (names.features.empty() && names.labels.empty()) return bytes;
  append(names.features.size(), bytes);
  append(names.labels.size(), bytes);
  for (const auto* list : {&names.features, &names.labels})
    for (const std::string& name : *list) append(name.size(), bytes);
  for (const auto* list : {&names.features, &names.labels})
    for (const std::string& name : *list) {
      const auto more = std::as_bytes(std::span(name));
      bytes.insert(bytes.end(), more.begin(), more.end());
    }
  return bytes;
}

std::optional<Names> unpacked_names(std::span<const std::byte> bytes) {
  const std::uint64_t numbers = bytes.size() / 8;
  if (numbers < 2) return std::nullopt;
  const std::uint64_t features = number_at(bytes, 0), labels = number_at(bytes, 1);
  if (features > numbers - 2 || labels > numbers - 2 - features) return std::nullopt;
  Names names;
  std::uint64_t at = 8 * (2 + features + labels);
  for (std::uint64_t i = 0; i < features + labels; ++i) {
    const std::uint64_t length = number_at(bytes, 2 + i);
    if (length > bytes.size() - at) return std::nullopt;
    auto& list = i < features ? names.features : names.labels;
    list.emplace_back(reinterpret_cast<const char*>(bytes.data()) + at, length);
    at += length;
  }
  if (at != bytes.size()) return std::nullopt;
  return names;
}

}  // namespace asynprox
