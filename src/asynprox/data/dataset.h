// The samples as used: rows, labels, how each row counts and is scaled, and what is taken off it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct PictureShape {
  int height = 0;
  int width = 0;
  bool operator==(const PictureShape&) const = default;
};

// Of ratings: a row has two ones, in the columns `user` and `num_users + item`.
struct RatingsShape {
  std::size_t num_users = 0;
  std::size_t num_items = 0;
  bool operator==(const RatingsShape&) const = default;
};

struct Dataset {
  std::string name = {};     // where it came from, for messages
  Rows rows = {};            // z_i
  Vector labels = {};        // as they stand in the file; one per row
  Vector weights = {};       // of each sample; empty: all one
  Vector row_scale = {};     // sample i is row_scale[i] * z_i; empty: all one
  Vector column_scale = {};  // and column j counts column_scale[j] times; empty: all one
  Vector center = {};        // less this, one number a column; empty: zeros. Rows stay sparse
  std::vector<std::string> feature_names = {};  // one per column; empty: none are known
  // Where labels are text: label number k, as `labels` has it, is spelt label_names[k]. They rise.
  std::vector<std::string> label_names = {};
  // Of CSV, which says every column of every row.
  bool all_columns_said = false;
  // And where its labels stood: the number of the column, from 1, or "none"; empty: last, as usual.
  std::string label_column = {};
  std::string label_column_name = {};  // and what the header calls that column; empty: not known
  // Names of columns of the file that were not wanted (ReadOptions::feature_names) and not read.
  std::vector<std::string> columns_ignored = {};
  std::optional<PictureShape> picture = {};
  std::optional<RatingsShape> ratings = {};
  // Of `rows`, where it is known without reading them all (see fingerprint.h); whoever replaces the
  // rows resets it.
  std::optional<std::uint64_t> rows_fingerprint = {};

  std::size_t num_samples() const { return rows.num_rows(); }
  std::size_t dimension() const { return rows.num_columns(); }
};

// In place: scales every row to length 1 (a row of zeros stays one). Nothing stored changes but
// row_scale.
void normalize_rows(Dataset& data);

// In place: divides every column by its standard deviation (one that is constant stays as it is),
// by the weights, and of the rows as they are scaled. Nothing stored changes but column_scale.
void standardize_columns(Dataset& data);

// In place: takes the mean of every column off it, so that all have mean 0: by the weights, and of
// the rows as they are scaled, so that it comes last. Nothing stored changes but center.
void center_columns(Dataset& data);

// Whether the first line of CSV names the columns. By itself it does if it has a cell that is no
// number where the second line has one.
enum class CsvHeader : std::uint8_t { automatic, yes, no };

struct ReadOptions {
  // d, where the file's own largest column is not it; smaller than that is an error.
  std::optional<std::size_t> dimension = {};
  // LIBSVM text whose columns count from 0.
  bool zero_based = false;
  // IDX labels, where they are not found beside the images.
  std::optional<std::string> labels_path = {};
  // CSV: the column of the labels, by its name in the header or its number from 1 (a name wins);
  // "none" if there are no labels (all are then 0). Not given: the last.
  std::optional<std::string> label_column = {};
  // Where that is not given: as Dataset::label_column_name of other data, for CSV with a header,
  // and as its Dataset::label_column where names do not tell which column it is.
  std::string label_column_name = {};
  std::string label_column_usual = {};
  // CSV with a header: the columns to read, in this order, whatever theirs is in the file; one that
  // is missing is an error, others are ignored. Empty: all of them, as they come.
  std::vector<std::string> feature_names = {};
  // CSV: labels are not looked at, may be anything, and may be missing; all are then 0.
  bool labels_optional = false;
  CsvHeader header = CsvHeader::automatic;
  // CSV: labels are text, by their spelling, also where all are numbers.
  bool text_labels = false;
  // Threads that parse text.
  int threads = 0;  // 0: one per core
};

// Reads LIBSVM text, CSV or IDX, plain or compressed (gzip, bzip2, xz, zstd), or maps a file in our
// binary form, told apart by content (.csv or .tsv in the name is CSV, too); "-" is standard input;
// "generate:SPEC" makes a data set. Throws DataError as file:line:column: expected ..., got ...
// (of CSV, the column is the number of the cell), ContractError for options that are not for data
// of this kind.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

}  // namespace asynprox
