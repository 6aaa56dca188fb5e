// CSV from a stream, parsed by several threads. The grammar is in csv_cells.h, what the first lines
// decide in csv_start.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/input_stream.h"
#include "asynprox/data/readers/labelled_rows.h"

namespace asynprox {

struct CsvOptions {
  // A name of the header or a number from 1; "none": there are no labels. Not given: the last.
  std::optional<std::string> label_column = {};
  // These as in ReadOptions.
  std::string label_column_name = {};
  std::string label_column_usual = {};
  std::vector<std::string> feature_names = {};
  bool labels_optional = false;
  // A table with fewer columns is taken to have so many, the others without names and all zero.
  std::size_t dimension_min = 0;
  CsvHeader header = CsvHeader::automatic;
  // Labels are text also where all are numbers.
  bool text_labels = false;
  // Threads that parse. 0: one per core.
  int threads = 0;
  // Text that a thread parses at a time. Changes the speed only.
  std::size_t block_bytes = 1 << 18;
};

struct CsvSamples {
  CollectedRows samples;
  std::vector<std::string> feature_names;  // one per column, if there is a header
  std::vector<std::string> label_names;    // as in Dataset
  std::string label_column;                // these three as in Dataset
  std::string label_column_name;
  std::vector<std::string> columns_ignored;
};

// Whether the stream, of which nothing is read yet, holds CSV: by its name or its first line.
bool is_csv(InputStream& stream);

// A UTF-8 byte order mark is skipped. Throws DataError, file:line:cell: expected ..., got ..., for
// the first problem in the file (cells count from 1); like the result, it depends on no option of
// speed. A file without samples is a DataError too.
CsvSamples read_csv(InputStream& stream, const CsvOptions& options = {});

// The same, handed over block by block in the order of the file and not kept: memory does not grow
// with the file. Each block has label numbers and names of its own, and labels of a block that are
// all numbers are numbers, whatever others are, unless text_labels says otherwise; only the first
// has names of columns.
void read_csv_blocks(InputStream& stream, const CsvOptions& options,
                     const std::function<void(CsvSamples)>& take);

}  // namespace asynprox
