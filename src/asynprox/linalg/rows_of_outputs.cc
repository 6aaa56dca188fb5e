// The kernels of rows for several outputs: the inner loop runs over the outputs of a column, which
// lie side by side, so that plain loops become vector instructions.
#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {

void Rows::dots_of_outputs(std::span<const SampleIndex> samples, std::span<const double> x,
                           std::size_t outputs, std::span<double> u) const {
  require(x.size() >= num_columns() * outputs && u.size() >= samples.size() * outputs,
          "dots_of_outputs: a vector is too short");
  with_access(arrays(), [&](const auto& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      double* const u_i = u.data() + i * outputs;
      for (std::size_t c = 0; c < outputs; ++c) u_i[c] = 0;
      const auto row = access.row(samples[i]);
      for (std::size_t e = 0; e < row.length; ++e)
        add_scaled({u_i, outputs}, row.value(e), x.subspan(row.columns[e] * outputs, outputs));
    }
  });
}

void Rows::scatter_of_outputs(std::span<const SampleIndex> samples, std::span<const double> c,
                              std::size_t outputs, std::span<double> g) const {
  require(g.size() >= num_columns() * outputs && c.size() >= samples.size() * outputs,
          "scatter_of_outputs: a vector is too short");
  with_access(arrays(), [&](const auto& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      const std::span<const double> c_i = c.subspan(i * outputs, outputs);
      const auto row = access.row(samples[i]);
      for (std::size_t e = 0; e < row.length; ++e)
        add_scaled(g.subspan(row.columns[e] * outputs, outputs), row.value(e), c_i);
    }
  });
}

void Rows::add_keys_of_outputs(std::span<const SampleIndex> samples, std::size_t outputs,
                               KeySet& keys) const {
  with_access(arrays(), [&](const auto& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      const auto row = access.row(samples[i]);
      for (std::size_t e = 0; e < row.length; ++e) {
        const std::size_t first = row.columns[e] * outputs, before = keys.keys().size();
        keys.add(static_cast<Key>(first));
        // The outputs of a column come and stay together.
        if (keys.keys().size() == before) continue;
        for (std::size_t c = 1; c < outputs; ++c) keys.add(static_cast<Key>(first + c));
      }
    }
  });
}

}  // namespace asynprox
