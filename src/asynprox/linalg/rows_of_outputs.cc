// Rows of any form and several outputs: x and g are matrices with a row of C numbers per column, of
// which a sample picks some.
#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/picked_rows.h"
#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/widened_rows.h"

namespace asynprox {

void Rows::dots_of_outputs(std::span<const SampleIndex> samples, std::span<const double> x,
                           std::size_t outputs, std::span<double> u) const {
  require(x.size() >= num_columns() * outputs && u.size() >= samples.size() * outputs,
          "dots_of_outputs: a vector is too short");
  std::ranges::fill(u.first(samples.size() * outputs), 0);
  for_each_widened_row(arrays(), samples, [&](std::size_t i, auto columns, auto values) {
    add_combination({columns, values}, x.data(), outputs, u.subspan(i * outputs, outputs));
  });
}

void Rows::scatter_of_outputs(std::span<const SampleIndex> samples, std::span<const double> c,
                              std::size_t outputs, std::span<double> g) const {
  require(g.size() >= num_columns() * outputs && c.size() >= samples.size() * outputs,
          "scatter_of_outputs: a vector is too short");
  for_each_widened_row(arrays(), samples, [&](std::size_t i, auto columns, auto values) {
    add_outer_product({columns, values}, c.subspan(i * outputs, outputs), g.data(), outputs);
  });
}

void Rows::add_keys_of_outputs(std::span<const SampleIndex> samples, std::size_t outputs,
                               KeySet& keys) const {
  for_each_widened_row(arrays(), samples, [&](std::size_t, auto columns, auto) {
    for (const Key column : columns) {
      const std::size_t first = column * outputs, before = keys.keys().size();
      keys.add(static_cast<Key>(first));
      // The outputs of a column come and stay together.
      if (keys.keys().size() == before) continue;
      for (std::size_t c = 1; c < outputs; ++c) keys.add(static_cast<Key>(first + c));
    }
  });
}

}  // namespace asynprox
