// What a step goes along.
#pragma once

#include <cstddef>
#include <span>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// A vector at the coordinates of a step: all, or those listed.
struct StepDirection {
  bool all = true;
  std::span<const Key> keys = {};
  std::span<double> v;

  // work(v_j, j) for each coordinate j.
  template <class Work>
  void for_each(Work work) const {
    for_each(work, [](std::size_t) {});
  }

  // The same; where coordinates are listed, prefetch(j) comes a while before work(v_j, j), but for
  // the first ones.
  template <class Work, class Prefetch>
  void for_each(Work work, Prefetch prefetch) const {
    constexpr std::size_t ahead = 40;
    if (all)
      for (std::size_t j = 0; j < v.size(); ++j) work(v[j], j);
    else
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (i + ahead < v.size()) prefetch(keys[i + ahead]);
        work(v[i], keys[i]);
      }
  }
};

}  // namespace asynprox
