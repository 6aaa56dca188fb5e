// What generators of dense rows and a planted model share:
//
//   z_ij near a normal number, rounded to float;   t_i = z_i'x;   y_i = label(t_i, i)
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct PlantedLinear {
  std::uint64_t num_rows = 0;
  Vector x = {};
  Random entries = Random(0);
  std::function<double(double t, std::uint64_t row)> label = {};
};

GeneratedRows planted_rows(PlantedLinear planted);

//   label(t, i) = t + scale * (a number near a normal one)
std::function<double(double t, std::uint64_t row)> noisy_label(const Random& random, double scale);

// Exactly ceil(share * size) of the numbers 0 to size - 1 (at least one, if there are any), all
// sets alike; rising. O(size).
std::vector<std::uint64_t> chosen_share(double share, std::uint64_t size, const Random& random);

// So large a share of the `size` coordinates near a normal number each, the others 0.
Vector sparse_normals(double share, std::uint64_t size, const Random& chosen,
                      const Random& numbers);

// The parameters that all of them have, once they are checked.
struct PlantedSizes {
  std::uint64_t num_rows = 0;
  std::uint64_t num_columns = 0;
  Random random = Random(0);
};
PlantedSizes planted_sizes(std::int64_t n, std::int64_t d, std::int64_t seed);

}  // namespace asynprox
