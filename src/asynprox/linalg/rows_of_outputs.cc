// Rows of any form and several outputs: a row is widened, its columns and values as arrays, and one
// kernel does the rest.
#include "asynprox/base/errors.h"
#include "asynprox/linalg/output_kernels.h"
#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {
namespace {

// Calls work(i, row number samples[i], widened) for every sample.
template <class Work>
void for_each_wide_row(const RowArrays& arrays, std::span<const SampleIndex> samples, Work work) {
  std::vector<Key> columns;
  Vector values;
  with_access(arrays, [&](const auto& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      const auto row = access.row(samples[i]);
      columns.resize(row.length);
      values.resize(row.length);
      for (std::size_t e = 0; e < row.length; ++e) {
        columns[e] = static_cast<Key>(row.columns[e]);
        values[e] = row.value(e);
      }
      work(i, WideRow{columns, values});
    }
  });
}

}  // namespace

void Rows::dots_of_outputs(std::span<const SampleIndex> samples, std::span<const double> x,
                           std::size_t outputs, std::span<double> u) const {
  require(x.size() >= num_columns() * outputs && u.size() >= samples.size() * outputs,
          "dots_of_outputs: a vector is too short");
  const OutputKernels kernels = output_kernels();
  for_each_wide_row(arrays(), samples, [&](std::size_t i, const WideRow& row) {
    kernels.dots(row, x.data(), u.subspan(i * outputs, outputs));
  });
}

void Rows::scatter_of_outputs(std::span<const SampleIndex> samples, std::span<const double> c,
                              std::size_t outputs, std::span<double> g) const {
  require(g.size() >= num_columns() * outputs && c.size() >= samples.size() * outputs,
          "scatter_of_outputs: a vector is too short");
  const OutputKernels kernels = output_kernels();
  for_each_wide_row(arrays(), samples, [&](std::size_t i, const WideRow& row) {
    kernels.scatter(row, c.subspan(i * outputs, outputs), g.data());
  });
}

void Rows::add_keys_of_outputs(std::span<const SampleIndex> samples, std::size_t outputs,
                               KeySet& keys) const {
  for_each_wide_row(arrays(), samples, [&](std::size_t, const WideRow& row) {
    for (const Key column : row.columns) {
      const std::size_t first = column * outputs, before = keys.keys().size();
      keys.add(static_cast<Key>(first));
      // The outputs of a column come and stay together.
      if (keys.keys().size() == before) continue;
      for (std::size_t c = 1; c < outputs; ++c) keys.add(static_cast<Key>(first + c));
    }
  });
}

}  // namespace asynprox
