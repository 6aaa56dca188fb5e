//   r_ui = 3 + p_u'q_i / sqrt(rank) + noise e_ui       some entries of a matrix of low rank
//
// p_u, q_i and e_ui are near normal numbers of variance 1. The n ratings are of different pairs of
// a user and an item, all pairs alike. A row has two ones, in the columns u and users + i (ratings,
// as in Dataset), and the label is the rating. Nothing of size n is held.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct RatingsGenerator {
  static constexpr std::string_view name = "ratings";
  static constexpr std::string_view formula = "r = 3 + p'q / sqrt(rank) + noise e";
  double n = 1000;
  double users = 100;
  double items = 50;
  double rank = 3;
  double seed = 1;
  double noise = 0.1;

  static constexpr auto parameters() {
    using Self = RatingsGenerator;
    return std::tuple(parameter(&Self::n, "n", at_least(1), "ratings"),
                      parameter(&Self::users, "users", at_least(1), "rows of the matrix"),
                      parameter(&Self::items, "items", at_least(1), "its columns"),
                      parameter(&Self::rank, "rank", at_least(1), "of the matrix without noise"),
                      parameter(&Self::seed, "seed", at_least(0), "of everything random"),
                      parameter(&Self::noise, "noise", at_least(0), "its standard deviation"));
  }

  GeneratedRows rows() const;

  // The matrix without noise, row after row, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<RatingsGenerator>);

}  // namespace asynprox
