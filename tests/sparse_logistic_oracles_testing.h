// Optima of l1 logistic regression on real data, known to nine digits and more.
#pragma once

#include <string>
#include <vector>

#include "asynprox/data/dataset.h"

#include "tests/real_data_testing.h"

namespace asynprox {

struct SparseLogistic {
  std::string name, file;
  bool normalize;
  double lambda;
  double optimum;
  // Columns are dependent, so the support is not unique.
  int nonzeros_min, nonzeros_max;
};

inline const std::vector<SparseLogistic>& sparse_logistic_oracles() {
  static const std::vector<SparseLogistic> oracles = {
      {"a9a_tenth", "a9a.xz", false, 876.05 / 32561, 0.518638157159008, 6, 6},
      {"a9a_hundredth", "a9a.xz", false, 87.605 / 32561, 0.372334823379241, 26, 27},
      {"a9a_1em3", "a9a.xz", false, 1e-3, 0.347035069372980, 38, 39},
      {"a9a_1em4", "a9a.xz", false, 1e-4, 0.326898961969135, 71, 77},
      {"a9a_rows_1em4", "a9a.xz", true, 1e-4, 0.333994167701, 49, 49},
      {"mushrooms_1em4", "mushrooms.xz", false, 1e-4, 0.008567200552, 19, 19},
  };
  return oracles;
}

inline Dataset oracle_data(const SparseLogistic& oracle) {
  Dataset data = real_data(oracle.file);
  if (oracle.normalize) normalize_rows(data);
  return data;
}

}  // namespace asynprox
