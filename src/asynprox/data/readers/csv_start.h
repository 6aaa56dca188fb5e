// What the first lines of CSV say of the rest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/csv.h"
#include "asynprox/data/readers/csv_block.h"

namespace asynprox {

// Whether text that starts like this is CSV rather than LIBSVM, which has a blank or a colon where
// CSV has separators: its first line that is neither blank nor a comment has a separator, and no
// <column>:<value>.
bool looks_like_csv(std::string_view start);

// Whether a file's name says so: .csv or .tsv, and maybe how it is packed.
bool is_csv_name(std::string_view path);

// The separator by the first line, outside quotes: a tab if there is one, else a semicolon if there
// is one, else a comma.
char csv_separator(std::string_view start);

struct CsvStart {
  CsvLayout layout;
  bool has_header = false;
  std::vector<std::string> feature_names = {};    // one per column, if there is a header
  std::vector<std::string> columns_ignored = {};  // these three as in Dataset
  std::string label_column = {};
  std::string label_column_name = {};
  std::size_t header_bytes = 0;  // where the records begin
  std::size_t header_lines = 0;
};

// `text` has the first two records, or all there are. By itself the first is a header if it has a
// cell that is no number where the second has one; what stands for a missing value ('', NA, NaN, ?,
// null, none and the like) does not count; a first record without a second is one if none of its
// cells is a number; and one that has every name that is wanted is one, too. Throws CsvMisread for
// text that is no CSV, and names that are not UTF-8; ContractError, "--label-column: ...", for a
// column that is not there; DataError, "<file>: ...", where columns that are wanted are not there.
CsvStart csv_start(std::string_view text, const CsvOptions& options, const std::string& file);

}  // namespace asynprox
