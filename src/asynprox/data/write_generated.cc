#include "asynprox/data/write_generated.h"

#include <algorithm>
#include <span>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/binary_writer.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/readers/ordered_work.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

// Entries of a block: enough to be worth a thread's while, few enough to stay in a cache.
constexpr std::uint64_t kRowsCountedAtOnce = 1 << 20;
constexpr std::uint64_t kEntriesPerPiece = 1 << 16;

class GeneratedFile {
 public:
  GeneratedFile(const std::string& path, const RowArrays& shape, const RatingsShape& ratings)
      : shape_(shape),
        writer_(path, {.rows = shape,
                       .num_entries = shape.num_nonzeros,
                       .num_users = ratings.num_users,
                       .num_items = ratings.num_items}) {
    if (has_offsets()) writer_.append(Section::offsets, std::span<const std::uint64_t>(&end_, 1));
  }

  void add(const LabelledRows& block) {
    const CsrMatrix& matrix = block.matrix;
    for (std::size_t i = 0; i + 1 < matrix.offsets.size(); ++i) {
      for (std::size_t entry = matrix.offsets[i]; entry < matrix.offsets[i + 1]; ++entry)
        fingerprint_.add(matrix.columns[entry], matrix.values[entry]);
      fingerprint_.end_row();
    }
    if (has_offsets()) {
      std::vector<std::uint64_t> offsets(matrix.offsets.begin() + 1, matrix.offsets.end());
      for (std::uint64_t& offset : offsets) offset += end_;
      writer_.append(Section::offsets, std::span<const std::uint64_t>(offsets));
    }
    end_ += matrix.columns.size();
    num_rows_ += block.labels.size();
    writer_.append(Section::labels, std::span<const double>(block.labels));
    with_type(shape_.column_type, [&]<class Column>(std::type_identity<Column>) {
      const std::vector<Column> narrow(matrix.columns.begin(), matrix.columns.end());
      writer_.append(Section::columns, std::span<const Column>(narrow));
    });
    const std::vector<float> narrow(matrix.values.begin(), matrix.values.end());
    ensure(std::ranges::equal(narrow, matrix.values), "a generated value is no float");
    writer_.append(Section::values, std::span<const float>(narrow));
  }

  std::uint64_t num_rows() const { return num_rows_; }

  std::uint64_t finish() {
    writer_.finish(fingerprint_.value());
    return writer_.file_bytes();
  }

 private:
  bool has_offsets() const { return shape_.layout != RowLayout::slots; }

  RowArrays shape_;
  BinaryWriter writer_;
  RowsFingerprint fingerprint_;
  std::uint64_t end_ = 0;
  std::uint64_t num_rows_ = 0;
};

}  // namespace

std::optional<WrittenRows> write_generated(const GeneratedRows& rows, const std::string& path,
                                           const WriteOptions& options) {
  std::uint64_t num_nonzeros = 0;
  for (std::uint64_t first = 0; first < rows.num_rows; first += kRowsCountedAtOnce) {
    if (options.go_on && !options.go_on(0)) return std::nullopt;
    num_nonzeros += rows.count_nonzeros(first, std::min(rows.num_rows, first + kRowsCountedAtOnce));
  }
  const bool all_there = num_nonzeros == rows.num_rows * rows.num_columns;
  GeneratedFile file(path,
                     {.layout = all_there ? RowLayout::slots : RowLayout::compressed,
                      .column_type = narrowest_columns(rows.num_columns),
                      .value_type = ValueType::f32,
                      .num_rows = rows.num_rows,
                      .num_columns = rows.num_columns,
                      .num_nonzeros = num_nonzeros,
                      .slots = all_there ? rows.num_columns : 0},
                     rows.ratings.value_or(RatingsShape{}));
  const auto take = [&](const LabelledRows& block) { file.add(block); };
  OrderedWork<LabelledRows, decltype(take)> work(threads_for(options.threads), take);
  const std::uint64_t rows_a_piece = std::max<std::uint64_t>(
      1, kEntriesPerPiece * rows.num_rows / std::max<std::uint64_t>(1, num_nonzeros));
  for (std::uint64_t first = 0; first < rows.num_rows; first += rows_a_piece) {
    work.add([&rows, first, last = std::min(first + rows_a_piece, rows.num_rows)] {
      LabelledRows block;
      rows.append(first, last, block);
      return block;
    });
    if (options.go_on && !options.go_on(file.num_rows())) return std::nullopt;
  }
  work.finish();
  return WrittenRows{num_nonzeros, file.finish()};
}

}  // namespace asynprox
