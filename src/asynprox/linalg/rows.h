// The rows z_i of a data matrix, in the narrowest form that loses nothing, and the two kernels that
// every linear model is made of:
//
//   dots      u_i = z_i'x      for the samples of a batch
//   scatter   g += sum_i c_i z_i
//
// and, where a loss has no more to say than a factor, both at once:
//
//   add_products   g += sum_i factor_i (z_i'x) z_i
//
// Every form gives the same bits (for finite x, c and factors), at every level of vector
// instructions: row_kernels.h says how entries are summed.
#pragma once

#include <cstddef>
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

// Where the entries of row i lie.
//
//   compressed   from offsets[i] to offsets[i + 1]
//   blocks       the same, but a row is filled up to a multiple of 16 entries: these repeat the
//                row's last column, with the value 0
//   slots        from i * slots to (i + 1) * slots, without offsets. Rows of ones may be shorter,
//                filled up with the columns d, d + 1, ..., d + 7, d, ... that there are none of, if
//                d is at most kFilledColumnsMax; other rows all have `slots` entries
//   dense        the same, and entry e is column e, which is not stored: rows as an array of
//                numbers has them, with d or fewer numbers per row. Zeros are entries like others
//
// We make the first three, with 16- or 32-bit columns and 64-bit offsets. The last, 64-bit columns
// and 32-bit offsets (both of compressed rows) are for arrays of others, of floats or doubles.
enum class RowLayout : std::uint8_t { compressed, blocks, slots, dense };
enum class OffsetType : std::uint8_t { u64, u32 };
enum class ColumnType : std::uint8_t { u16, u32, u64 };
enum class ValueType : std::uint8_t { ones, u8, f32, f64 };

inline constexpr std::uint64_t kEntriesPerBlock = 16;
inline constexpr std::uint64_t kFilledColumnsMax = 512;
// More than one: a scatter would else wait for its own last addition.
inline constexpr std::uint64_t kFillColumns = 8;

// Rows as flat arrays: as they lie in memory, and in a binary file.
struct RowArrays {
  RowLayout layout = RowLayout::compressed;
  OffsetType offset_type = OffsetType::u64;
  ColumnType column_type = ColumnType::u16;  // not looked at for dense
  ValueType value_type = ValueType::ones;
  std::uint64_t num_rows = 0;
  std::uint64_t num_columns = 0;
  std::uint64_t num_nonzeros = 0;  // without the entries that fill up rows
  std::uint64_t slots = 0;         // entries a row, of slots and dense; 0 for the other layouts
  std::span<const std::byte> offsets = {};  // num_rows + 1; none for slots and dense
  std::span<const std::byte> columns = {};  // none for dense
  std::span<const std::byte> values = {};   // none for ones
};

class Rows {
 public:
  Rows();  // no rows, no columns

  // The narrowest lossless form: 16-bit columns where d <= 65536, values as "all ones", 8-bit
  // integers, float or double.
  static Rows narrowed(const CsrMatrix& matrix);

  // 32-bit columns and doubles, whatever the values are: the reference for the other forms.
  static Rows plain(const CsrMatrix& matrix);

  // Rows in memory of someone else's, which stays as it is while `owner` is kept: a mapped file, an
  // array of the caller's. Each array begins at a multiple of its entries' size. The sizes are
  // checked against each other (ContractError), and the first and last offset (DataError); what
  // is between is believed, since a file may be larger than memory: see check_entries().
  static Rows borrowed(const RowArrays& arrays, std::shared_ptr<const void> owner);

  // Valid as long as these rows, or a copy of them, are there.
  RowArrays arrays() const;

  // Walks all entries of rows that were borrowed. DataError, naming the row, if the offsets fall,
  // or a row's columns do not rise or are not below d, or it is filled up in another way than its
  // layout says. Values may be any.
  void check_entries() const;

  // The same for the rows `first` to `last` - 1, where their number is not compared.
  void check_entries(std::size_t first, std::size_t last) const;

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

  void add_products(std::span<const SampleIndex> samples, std::span<const double> factors,
                    std::span<const double> x, std::span<double> g) const;

  // Adds the columns of these rows to `keys`.
  void add_keys(std::span<const SampleIndex> samples, KeySet& keys) const;

  // The same for C = `outputs` outputs side by side: column j has the coordinates j C, ...,
  // j C + C - 1 of x, g and keys, and sample i the numbers i C, ..., i C + C - 1 of u and c.
  void dots_of_outputs(std::span<const SampleIndex> samples, std::span<const double> x,
                       std::size_t outputs, std::span<double> u) const;
  void scatter_of_outputs(std::span<const SampleIndex> samples, std::span<const double> c,
                          std::size_t outputs, std::span<double> g) const;
  void add_keys_of_outputs(std::span<const SampleIndex> samples, std::size_t outputs,
                           KeySet& keys) const;

  // |D s_i z_i|^2 for every row, D = diag(column_scale); scales left out are all one. Scaled
  // entries are squared, not squares scaled, so that neither overflows before its time.
  Vector squared_norms(std::span<const double> row_scale = {},
                       std::span<const double> column_scale = {}) const;

  // sum_i weights_i z_ij^2 of every column j; weights left out are all one.
  Vector column_squares(std::span<const double> weights = {}) const;

  // Adds the sum over these samples of weights_i z_ij z_ik, for columns j <= k of those listed in
  // rising order, to the upper half of a matrix with rows of this length. Returns how many products
  // that took.
  std::size_t add_gram(std::span<const SampleIndex> samples, std::span<const double> weights,
                       std::span<const Key> columns, std::size_t row_length,
                       std::span<double> gram) const;

  // One row, for looking at rather than for speed.
  std::vector<RowEntry> row(std::size_t index) const;

 private:
  struct Form;
  explicit Rows(std::shared_ptr<const Form> form);
  std::shared_ptr<const Form> form_;  // immutable, so copies share it
};

}  // namespace asynprox
