// How the benchmarks measure: variants take turns, so that a busy machine slows all of them, and
// each is judged by its best turn.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <vector>

namespace asynprox::benchmarks {

using Work = std::function<void()>;

inline double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The least seconds of each variant over `turns` turns. A first turn of each warms up and does not
// count.
inline std::vector<double> best_seconds(const std::vector<Work>& variants, int turns) {
  std::vector<double> best(variants.size(), std::numeric_limits<double>::infinity());
  for (const Work& work : variants) work();
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < variants.size(); ++i)
      best[i] = std::min(best[i], seconds_of(variants[i]));
  return best;
}

}  // namespace asynprox::benchmarks
