#include "asynprox/data/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/data/row_walk.h"

namespace asynprox {
namespace {

// Smallest, largest and mean of what is added.
class Spreading {
 public:
  void add(double value) {
    spread_.min = count_ == 0 ? value : std::min(spread_.min, value);
    spread_.max = count_ == 0 ? value : std::max(spread_.max, value);
    sum_ += value;
    ++count_;
  }
  MinMeanMax spread() const {
    return {spread_.min, count_ == 0 ? 0 : sum_ / static_cast<double>(count_), spread_.max};
  }

 private:
  MinMeanMax spread_;
  double sum_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

DataInfo data_info(const Dataset& data) {
  const Rows& rows = data.rows;
  Spreading lengths, norms;
  std::size_t empty_rows = 0;
  std::vector<bool> seen(rows.num_columns(), false);  // a bit each: d may be 2^31
  walk_rows(rows, [&](std::size_t i, std::span<const RowEntry> row) {
    double squared = 0;
    for (const auto& [column, value] : row) {
      if (column >= seen.size())
        throw DataError(fmt::format("{}: row {}: expected columns below {}, got {}", data.name,
                                    i + 1, seen.size(), column));
      seen[column] = true;
      squared += value * value;
    }
    lengths.add(static_cast<double>(row.size()));
    norms.add(std::sqrt(squared) * (data.row_scale.empty() ? 1 : data.row_scale[i]));
    empty_rows += row.empty() ? 1 : 0;
  });
  const double cells =
      static_cast<double>(rows.num_rows()) * static_cast<double>(rows.num_columns());

  DataInfo info;
  info.name = data.name;
  info.samples = rows.num_rows();
  info.dimension = rows.num_columns();
  info.nonzeros = rows.num_nonzeros();
  info.density = cells > 0 ? static_cast<double>(info.nonzeros) / cells : 0;
  info.row_length = lengths.spread();
  info.row_norm = norms.spread();
  info.empty_rows = empty_rows;
  info.columns_never_seen = static_cast<std::size_t>(std::ranges::count(seen, false));
  info.labels = label_summary(data.labels);
  info.label_names = data.label_names;
  info.feature_names = data.feature_names;
  info.form = rows.form();
  info.bytes = rows.bytes();
  info.picture = data.picture;
  info.ratings = data.ratings;
  return info;
}

}  // namespace asynprox
