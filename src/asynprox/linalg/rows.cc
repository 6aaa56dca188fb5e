#include "asynprox/linalg/rows.h"

#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/check_rows.h"
#include "asynprox/linalg/for_samples.h"
#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/row_kernels.h"
#include "asynprox/linalg/row_types.h"
#include "asynprox/linalg/rows_builder.h"

namespace asynprox {
namespace {

// Entries of a row taken together in a Gram matrix, so that loops end at places easy to foresee.
constexpr std::size_t kGramLanes = 4;

std::string name_of(ValueType type) {
  switch (type) {
    case ValueType::ones: return "all ones";
    case ValueType::u8: return "8-bit integers";
    case ValueType::f32: return "floats";
    case ValueType::f64: return "doubles";
  }
  return {};
}

}  // namespace

struct Rows::Form {
  RowArrays arrays;
  std::shared_ptr<const void> owner;
  std::string name;
};

Rows::Rows() : Rows(plain(CsrMatrix{})) {}

Rows::Rows(std::shared_ptr<const Form> form) : form_(std::move(form)) {}

Rows Rows::narrowed(const CsrMatrix& matrix) {
  RowsBuilder builder;
  builder.add(matrix);
  return std::move(builder).build(matrix.num_columns);
}

Rows Rows::plain(const CsrMatrix& matrix) {
  RowsBuilder builder;
  builder.add(matrix);
  return std::move(builder).build_as(matrix.num_columns, {.layout = RowLayout::compressed,
                                                          .column_type = ColumnType::u32,
                                                          .value_type = ValueType::f64});
}

Rows Rows::borrowed(const RowArrays& arrays, std::shared_ptr<const void> owner) {
  check_sizes(arrays);
  const std::string columns =
      arrays.layout == RowLayout::dense
          ? "dense"
          : std::to_string(8 * size_of(arrays.column_type)) + "-bit columns";
  return Rows(std::make_shared<const Form>(
      Form{arrays, std::move(owner), columns + ", " + name_of(arrays.value_type)}));
}

RowArrays Rows::arrays() const { return form_->arrays; }

std::size_t Rows::num_rows() const { return form_->arrays.num_rows; }

std::size_t Rows::num_columns() const { return form_->arrays.num_columns; }

std::size_t Rows::num_nonzeros() const { return form_->arrays.num_nonzeros; }

std::size_t Rows::bytes() const {
  const RowArrays& arrays = form_->arrays;
  return arrays.offsets.size() + arrays.columns.size() + arrays.values.size();
}

std::string_view Rows::form() const { return form_->name; }

void Rows::check_entries() const { asynprox::check_entries(form_->arrays); }

void Rows::check_entries(std::size_t first, std::size_t last) const {
  require(first <= last && last <= num_rows(), "check entries: expected rows that are there");
  asynprox::check_entries(form_->arrays, first, last);
}

void Rows::dots(std::span<const SampleIndex> samples, std::span<const double> x,
                std::span<double> u) const {
  require(x.size() >= num_columns() && u.size() >= samples.size(), "dots: a vector is too short");
  row_kernels(form_->arrays).dots(form_->arrays, samples, x, u);
}

void Rows::scatter(std::span<const SampleIndex> samples, std::span<const double> c,
                   std::span<double> g) const {
  require(g.size() >= num_columns() && c.size() >= samples.size(),
          "scatter: a vector is too short");
  row_kernels(form_->arrays).scatter(form_->arrays, samples, c, g);
}

void Rows::add_products(std::span<const SampleIndex> samples, std::span<const double> factors,
                        std::span<const double> x, std::span<double> g) const {
  require(
      x.size() >= num_columns() && g.size() >= num_columns() && factors.size() >= samples.size(),
      "add_products: a vector is too short");
  row_kernels(form_->arrays).add_products(form_->arrays, samples, factors, x, g);
}

void Rows::add_keys(std::span<const SampleIndex> samples, KeySet& keys) const {
  with_access(form_->arrays, [&](const auto& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      const auto row = access.row(samples[i]);
      for (std::size_t e = 0; e < row.length; ++e) keys.add(static_cast<Key>(row.columns[e]));
    }
  });
}

Vector Rows::squared_norms(std::span<const double> row_scale,
                           std::span<const double> column_scale) const {
  Vector norms(num_rows(), 0);
  if (form_->arrays.values.empty() && row_scale.empty()) {
    // Of ones: a dot product, for which there are kernels.
    Vector squares(num_columns(), 1);
    for (std::size_t j = 0; j < column_scale.size(); ++j)
      squares[j] = column_scale[j] * column_scale[j];
    for_samples(0, num_rows(), [&](Samples samples) {
      dots(samples, squares, std::span(norms).subspan(samples.front()));
    });
    return norms;
  }
  with_access(form_->arrays, [&](const auto& access) {
    for (std::size_t i = 0; i < norms.size(); ++i) {
      const double scale = row_scale.empty() ? 1 : row_scale[i];
      const auto row = access.row(i);
      double lanes[4] = {0, 0, 0, 0};  // as the kernels sum
      for (std::size_t e = 0; e < row.length; ++e) {
        const double column = column_scale.empty() ? 1 : column_scale[row.columns[e]];
        const double scaled = scale * row.value(e) * column;
        lanes[e % 4] += scaled * scaled;
      }
      norms[i] = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    }
  });
  return norms;
}

Vector Rows::column_squares(std::span<const double> weights) const {
  Vector squares(num_columns(), 0);
  if (form_->arrays.values.empty() && !weights.empty()) {
    // Of ones: a sum of rows, for which there are kernels too.
    for_samples(0, num_rows(), [&](Samples samples) {
      scatter(samples, weights.subspan(samples.front()), squares);
    });
    return squares;
  }
  with_access(form_->arrays, [&](const auto& access) {
    for (std::size_t i = 0; i < num_rows(); ++i) {
      const double weight = weights.empty() ? 1 : weights[i];
      const auto row = access.row(i);
      for (std::size_t e = 0; e < row.length; ++e)
        squares[row.columns[e]] += weight * row.value(e) * row.value(e);
    }
  });
  return squares;
}

std::size_t Rows::add_gram(std::span<const SampleIndex> samples, std::span<const double> weights,
                           std::span<const Key> columns, std::size_t row_length,
                           std::span<double> gram) const {
  // Where a column stands in the list; those that do not are beyond its end.
  const auto none = static_cast<std::uint32_t>(columns.size());
  std::vector<std::uint32_t> place(num_columns(), none), found(none + kGramLanes);
  for (std::uint32_t k = 0; k < none; ++k) place[columns[k]] = k;
  Vector values(none + kGramLanes);
  // Row a begins with its diagonal, and ends with room for what fills up a list of places.
  std::vector<std::size_t> begin(columns.size() + 1, 0);
  for (std::size_t a = 0; a < columns.size(); ++a)
    begin[a + 1] = begin[a] + (columns.size() - a) + kGramLanes;
  Vector sums(begin.back(), 0);
  std::size_t products = 0;
  with_access(form_->arrays, [&]<class Access>(const Access& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      const auto row = access.row(samples[i]);
      std::uint32_t count = 0;
      for (std::size_t e = 0; e < row.length; ++e) {
        found[count] = place[row.columns[e]];
        if constexpr (Access::stores_values) values[count] = row.value(e);
        count += found[count] < none ? 1 : 0;
      }
      // Each at a place of its own: an addition would wait for the one before it.
      for (std::uint32_t fill = 0; fill < kGramLanes; ++fill) found[count + fill] = none + fill;
      for (std::size_t a = 0; a < count; ++a) {
        double* const target = sums.data() + begin[found[a]] - found[a];
        const double weighted = Access::stores_values ? weights[i] * values[a] : weights[i];
        for (std::size_t b = a; b < count; b += kGramLanes)
          for (std::size_t lane = 0; lane < kGramLanes; ++lane)
            target[found[b + lane]] +=
                Access::stores_values ? weighted * values[b + lane] : weighted;
      }
      products += std::size_t{count} * (count + 1) / 2;
    }
  });
  for (std::size_t a = 0; a < columns.size(); ++a)
    for (std::size_t b = a; b < columns.size(); ++b)
      gram[a * row_length + b] += sums[begin[a] + b - a];
  return products;
}

std::vector<RowEntry> Rows::row(std::size_t index) const {
  require(index < num_rows(), "row: no such row");
  std::vector<RowEntry> entries;
  with_access(form_->arrays, [&](const auto& access) {
    const auto row = access.row(index);
    entries.reserve(row.length);
    for (std::size_t e = 0; e < row.length; ++e)
      entries.push_back({static_cast<Key>(row.columns[e]), row.value(e)});
  });
  return entries;
}

}  // namespace asynprox
