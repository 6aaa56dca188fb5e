#include "asynprox/data/info.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace asynprox {
namespace {

Spread spread(const Vector& values) {
  if (values.empty()) return {};
  const auto [min, max] = std::ranges::minmax(values);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {min, sum / static_cast<double>(values.size()), max};
}

Vector row_norms(const Dataset& data) {
  Vector norms = data.rows.squared_norms();
  for (std::size_t i = 0; i < norms.size(); ++i)
    norms[i] = std::sqrt(norms[i]) * (data.row_scale.empty() ? 1 : data.row_scale[i]);
  return norms;
}

}  // namespace

DataInfo data_info(const Dataset& data) {
  const Rows& rows = data.rows;
  Vector lengths(rows.num_rows());
  std::vector<bool> seen(rows.num_columns(), false);  // a bit each: d may be 2^31
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const std::vector<RowEntry> row = rows.row(i);
    lengths[i] = static_cast<double>(row.size());
    for (const RowEntry& entry : row) seen[entry.column] = true;
  }
  const double cells =
      static_cast<double>(rows.num_rows()) * static_cast<double>(rows.num_columns());

  DataInfo info;
  info.name = data.name;
  info.samples = rows.num_rows();
  info.dimension = rows.num_columns();
  info.nonzeros = rows.num_nonzeros();
  info.density = cells > 0 ? static_cast<double>(info.nonzeros) / cells : 0;
  info.row_length = spread(lengths);
  info.row_norm = spread(row_norms(data));
  info.empty_rows = static_cast<std::size_t>(std::ranges::count(lengths, 0.0));
  info.columns_never_seen = static_cast<std::size_t>(std::ranges::count(seen, false));
  info.labels = label_summary(data.labels);
  info.form = rows.form();
  info.bytes = rows.bytes();
  info.picture = data.picture;
  return info;
}

}  // namespace asynprox
