// The rows z_i of a data matrix, in the narrowest form that loses nothing, and the two kernels that
// every linear model is made of:
//
//   dots      u_i = z_i'x      for the samples of a batch
//   scatter   g += sum_i c_i z_i
//
// All forms give the same bits: entries are summed in the order of their columns.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "asynprox/linalg/key_set.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Compressed sparse rows as a reader or a user makes them. Columns rise within a row, from 0.
struct CsrMatrix {
  std::size_t num_columns = 0;
  std::vector<std::uint64_t> offsets = {0};  // row i holds entries offsets[i] to offsets[i + 1]
  std::vector<Key> columns = {};
  std::vector<double> values = {};
};

struct RowEntry {
  Key column = 0;
  double value = 0;
  bool operator==(const RowEntry&) const = default;
};

class Rows {
 public:
  Rows();  // no rows, no columns

  // The narrowest lossless form: 16-bit columns where d <= 65536, values as "all ones", 8-bit
  // integers, float or double.
  static Rows narrowed(const CsrMatrix& matrix);

  // 32-bit columns and doubles, whatever the values are: the reference for the other forms.
  static Rows plain(const CsrMatrix& matrix);

  std::size_t num_rows() const;
  std::size_t num_columns() const;
  std::size_t num_nonzeros() const;
  std::size_t bytes() const;      // of memory, for the entries and offsets
  std::string_view form() const;  // for example "16-bit columns, all ones"

  // Every sample is below num_rows(); x and g have num_columns() entries (or more, unused).
  void dots(std::span<const SampleIndex> samples, std::span<const double> x,
            std::span<double> u) const;
  void scatter(std::span<const SampleIndex> samples, std::span<const double> c,
               std::span<double> g) const;

  // Adds the columns of these rows to `keys`.
  void add_keys(std::span<const SampleIndex> samples, KeySet& keys) const;

  // |s_i z_i|^2 for every row; without scales |z_i|^2. Scaled entries are squared, not squares
  // scaled, so that neither overflows before its time.
  Vector squared_norms(std::span<const double> row_scale = {}) const;

  // One row, for looking at rather than for speed.
  std::vector<RowEntry> row(std::size_t index) const;

 private:
  struct Form;
  explicit Rows(std::shared_ptr<const Form> form);
  std::shared_ptr<const Form> form_;  // immutable, so copies share it
};

}  // namespace asynprox
