// A fast hash of 64-bit words, for telling whether two runs or two files hold the same bits.
//
// Four lanes take words in turn, each by a bijection of its state and of the word: a single word
// that differs always gives another hash. Not for keeping secrets.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "asynprox/base/fields.h"
#include "asynprox/base/random.h"

namespace asynprox {

class Hash {
 public:
  // The order counts, and so does the number of words in each call.
  void add(std::uint64_t word) { state_ = Random(state_ ^ word).at(0); }

  void add(std::span<const double> numbers) {
    add_words(numbers.size(),
              [&](std::size_t i) { return std::bit_cast<std::uint64_t>(numbers[i]); });
  }
  void add(std::span<const std::uint32_t> numbers) {
    add_words(numbers.size(), [&](std::size_t i) { return std::uint64_t{numbers[i]}; });
  }

  std::uint64_t value() const { return state_; }

  template <IsA<Hash> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

 private:
  static constexpr std::size_t num_lanes = 4;

  template <class WordAt>
  void add_words(std::size_t count, WordAt word_at) {
    std::array<std::uint64_t, num_lanes> lanes{1, 2, 3, 4};
    std::size_t i = 0;
    for (; i + num_lanes <= count; i += num_lanes)
      for (std::size_t lane = 0; lane < num_lanes; ++lane)
        lanes[lane] = mixed(lanes[lane], word_at(i + lane));
    for (; i < count; ++i) lanes[i % num_lanes] = mixed(lanes[i % num_lanes], word_at(i));
    add(count);
    for (const std::uint64_t lane : lanes) add(lane);
  }

  static std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) {
    const std::uint64_t product = (lane ^ word) * 0x9e3779b97f4a7c15ULL;
    return product ^ (product >> 32);
  }

  std::uint64_t state_ = 0;
};

}  // namespace asynprox
