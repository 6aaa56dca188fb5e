#include "asynprox/data/readers/csv_block.h"

#include <fmt/format.h>

#include "asynprox/data/readers/number_token.h"

namespace asynprox {
namespace {

double feature_in(const CsvCell& cell) {
  const NumberToken number = number_token(cell.text);
  if (number.kind == NumberToken::Kind::finite) return number.value;
  const bool not_finite = number.kind == NumberToken::Kind::not_finite;
  throw CsvMisread{cell.place, fmt::format("expected a {}number, got {}",
                                           not_finite ? "finite " : "", quoted_token(cell.text))};
}

class BlockParser {
 public:
  BlockParser(std::string_view text, const CsvLayout& layout)
      : cells_(text, layout.separator), layout_(layout) {
    constexpr std::size_t kCellBytesMin = 2;  // a digit and what ends it
    matrix_.columns.reserve(text.size() / kCellBytesMin);
    matrix_.values.reserve(text.size() / kCellBytesMin);
    matrix_.num_columns = layout.num_columns;
    if (!layout.rising) record_.resize(layout.num_columns);
  }

  CsvBlock parse() {
    try {
      while (!cells_.at_end()) parse_record();
    } catch (CsvMisread& misread) {
      block_.problem = std::move(misread);
    }
    block_.num_lines = cells_.num_lines();
    return std::move(block_);
  }

 private:
  void parse_record() {
    bool ended = false;
    for (std::size_t cell = 0; cell < layout_.num_cells; ++cell) {
      if (cell == layout_.label)
        ended = add_label();
      else if (const Key column = layout_.places[cell]; column != kNoColumn)
        ended = add_feature(column);
      else
        ended = cells_.next().ends_record;
      if (ended && cell + 1 < layout_.num_cells) fail_ragged(cell + 1);
    }
    if (!ended) fail_ragged(layout_.num_cells);
    if (!layout_.label) block_.labels.add_none();
    if (!layout_.rising) add_record();
    matrix_.offsets.push_back(matrix_.columns.size());
  }

  bool add_label() {
    const CsvCell cell = cells_.next();
    block_.labels.add(cell, layout_.text_labels);
    return cell.ends_record;
  }

  bool add_feature(Key column) {
    double value = 0;
    bool ended = false;
    if (!cells_.next_number(value, ended)) [[unlikely]] {
      const CsvCell cell = cells_.next();
      value = feature_in(cell);
      ended = cell.ends_record;
    }
    if (!layout_.rising)
      record_[column] = value;
    else if (value != 0)
      add_entry(column, value);
    return ended;
  }

  void add_entry(Key column, double value) {
    matrix_.columns.push_back(column);
    matrix_.values.push_back(value);
  }

  // The features of a record that has them in another order. Each is set by every record.
  void add_record() {
    for (std::size_t column = 0; column < record_.size(); ++column)
      if (record_[column] != 0) add_entry(static_cast<Key>(column), record_[column]);
  }

  // The record has `seen` cells, and ends there or has more.
  [[noreturn]] void fail_ragged(std::size_t seen) {
    CsvPlace place = cells_.place();
    if (seen == layout_.num_cells)
      for (bool ended = false; !ended; ++seen) {
        const CsvCell cell = cells_.next();
        place = cell.place;
        ended = cell.ends_record;
      }
    throw CsvMisread{place, fmt::format("expected {} cells, got {}", layout_.num_cells, seen)};
  }

  CsvCells cells_;
  const CsvLayout& layout_;
  CsvBlock block_;
  CsrMatrix& matrix_ = block_.matrix;
  Vector record_;  // the features of one, where they do not come in their order
};

}  // namespace

CsvBlock parse_csv_block(std::string_view text, const CsvLayout& layout) {
  return BlockParser(text, layout).parse();
}

}  // namespace asynprox
