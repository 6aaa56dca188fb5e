// The cells of CSV text, one after another, as RFC 4180 writes them:
//
//   record   cell (separator cell)*     ended by a newline, LF or CRLF; blank lines are skipped
//   cell     in double quotes, or not   in quotes separators and newlines are text, and a quote is
//                                       doubled; blanks around a cell do not count
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace asynprox {

struct CsvPlace {
  std::size_t line = 0;  // from 1; of a record that has newlines in quotes, the cell's own
  std::size_t cell = 0;  // of the record, from 1
};

struct CsvMisread {
  CsvPlace place;
  std::string message;  // expected ..., got ...
};

struct CsvCell {
  std::string_view text;  // valid until the next cell is asked for
  CsvPlace place;
  bool ends_record = false;
};

class CsvCells {
 public:
  // `text` outlives this.
  CsvCells(std::string_view text, char separator);

  // To be asked before each record: skips blank lines.
  bool at_end();

  // Throws CsvMisread for quotes that stand elsewhere than around a cell.
  CsvCell next();

  // The common case at once: the next cell is a short decimal. If not, nothing has changed.
  bool next_number(double& value, bool& ends_record);

  CsvPlace place() const { return place_; }  // of the last cell
  std::size_t num_lines() const { return line_ - 1 + (at_ > line_begin_ ? 1 : 0); }
  // Bytes of the text up to here.
  std::size_t bytes_read() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  bool is_blank(char c) const { return c == ' ' || (c == '\t' && separator_ != '\t'); }
  std::string_view quoted();
  std::string_view unquoted() const;
  bool finish_cell();
  [[noreturn]] void misread(const char* expected) const;

  const char* const begin_;
  const char* const end_;
  const char* at_;
  const char* line_begin_;
  const char separator_;
  std::size_t line_ = 1;
  CsvPlace place_;
  std::string unpacked_;  // a cell with doubled quotes
  bool in_record_ = false;
};

}  // namespace asynprox
