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

  // The same, and before that ask(j), for memory that is anywhere.
  template <class Work, class Ask>
  void for_each(Work work, Ask ask) const {
    constexpr std::size_t ahead = 40;
    if (all)
      for (std::size_t j = 0; j < v.size(); ++j) work(v[j], j);
    else
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (i + ahead < v.size()) ask(keys[i + ahead]);
        work(v[i], keys[i]);
      }
  }
};

}  // namespace asynprox
