// The checksum of a chunk of a file: 64 bits, made of eight lanes of 64-bit words, so that it reads
// faster than a disk.
//
//   lane_l = m((lane_l ^ word) * odd),  m(z) = z ^ (z >> 32)       for words l, l + 8, l + 16, ...
//
// Every step can be undone, and the lanes are put together by steps that can be undone: a change of
// one word, and of any words of one lane but by a freak, is always noticed.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "asynprox/base/random.h"

namespace asynprox {

// What files are made of here; words in a file are read as they stand.
static_assert(std::endian::native == std::endian::little);
inline constexpr std::size_t kHashBlock = 64;

// `bytes` is a multiple of kHashBlock. Equal bytes in another place (`seed`) have another hash.
inline std::uint64_t chunk_hash(std::span<const std::byte> bytes, std::uint64_t seed) {
  constexpr std::size_t kLanes = kHashBlock / sizeof(std::uint64_t);
  std::array<std::uint64_t, kLanes> lanes = {};
  for (std::size_t l = 0; l < kLanes; ++l) lanes[l] = Random(seed).at(l);
  for (std::size_t at = 0; at + kHashBlock <= bytes.size(); at += kHashBlock) {
    std::array<std::uint64_t, kLanes> words;
    std::memcpy(words.data(), bytes.data() + at, kHashBlock);
    for (std::size_t l = 0; l < kLanes; ++l) {
      const std::uint64_t z = (lanes[l] ^ words[l]) * 0x9e3779b97f4a7c15ULL;
      lanes[l] = z ^ (z >> 32);
    }
  }
  std::uint64_t hash = bytes.size();
  for (const std::uint64_t lane : lanes) hash = Random(hash ^ lane).at(0);
  return hash;
}

}  // namespace asynprox
