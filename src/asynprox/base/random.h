// Counter-based random numbers: value i of a stream is a pure function of (key, i), so any draw can
// be made again without replaying the ones before it, and is the same on every compiler.
//
//   at(i) = mix(key + (i + 1) * gamma)       the output function and increment of SplitMix64
//
// Steele, Lea and Flood (2014), Fast splittable pseudorandom number generators.
#pragma once

#include <cstdint>

namespace asynprox {

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : key_(seed) {}

  // An independent stream, for example of one worker: Random(seed).stream(worker).
  constexpr Random stream(std::uint64_t number) const {
    return Random(mix(key_ ^ mix(number + 0x6a09e667f3bcc909ULL)));
  }

  constexpr std::uint64_t at(std::uint64_t counter) const {
    return mix(key_ + (counter + 1) * 0x9e3779b97f4a7c15ULL);
  }

  // Uniform in {0, ..., size - 1}, by a multiplication: the bias is below size / 2^64. size >= 1.
  constexpr std::uint64_t index_at(std::uint64_t counter, std::uint64_t size) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(at(counter)) * size) >> 64);
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  constexpr double uniform_at(std::uint64_t counter) const {
    return static_cast<double>(at(counter) >> 11) * 0x1p-53;
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::uint64_t key_;
};

}  // namespace asynprox
