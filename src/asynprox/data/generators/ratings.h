//   r_ui = 3 + p_u'q_i / sqrt(rank) + noise e_ui       some entries of a matrix of low rank
//
// p_u, q_i and e_ui are near normal numbers of variance 1. The n ratings are of different pairs of
// a user and an item, all pairs alike. A row has two ones, in the columns u and users + i (ratings,
// as in Dataset), and the label is the rating. Nothing of size n is held.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct RatingsGenerator {
  static constexpr std::string_view name = "ratings";
  static constexpr std::string_view formula = "r = 3 + p'q / sqrt(rank) + noise e";
  std::int64_t n = 1000;
  std::int64_t users = 100;
  std::int64_t items = 50;
  std::int64_t rank = 3;
  std::int64_t seed = 1;
  double noise = 0.1;

  static constexpr auto parameters() {
    using Self = RatingsGenerator;
    return std::tuple(
        parameter(&Self::n, "n", from_to(1, kSamplesMax), "ratings"),
        parameter(&Self::users, "users", from_to(1, kDimensionMax), "rows of the matrix"),
        parameter(&Self::items, "items", from_to(1, kDimensionMax), "its columns"),
        parameter(&Self::rank, "rank", from_to(1, 1e4), "of the matrix without noise"),
        parameter(&Self::seed, "seed", from_to(0, kSeedMax), "of everything random"),
        parameter(&Self::noise, "noise", at_least(0), "its standard deviation"));
  }

  GeneratedRows rows() const;

  // The matrix without noise, row after row, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<RatingsGenerator>);

}  // namespace asynprox
