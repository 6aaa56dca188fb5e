#include "asynprox/data/readers/csv_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/data/readers/digits.h"
#include "asynprox/data/readers/number_token.h"

namespace asynprox {

CsvCells::CsvCells(std::string_view text, char separator)
    : begin_(text.data()),
      end_(text.data() + text.size()),
      at_(begin_),
      line_begin_(begin_),
      separator_(separator) {}

bool CsvCells::at_end() {
  for (;;) {
    const char* at = at_;
    while (at < end_ && (is_blank(*at) || *at == '\r')) ++at;
    if (at < end_ && *at != '\n') return false;
    at_ = at;
    if (at == end_) return true;
    line_begin_ = ++at_;
    ++line_;
  }
}

CsvCell CsvCells::next() {
  place_ = {line_, in_record_ ? place_.cell + 1 : 1};
  while (at_ < end_ && is_blank(*at_)) ++at_;
  std::string_view text;
  if (at_ < end_ && *at_ == '"') {
    text = quoted();
    while (at_ < end_ && is_blank(*at_)) ++at_;
    const bool ends = at_ == end_ || *at_ == separator_ || *at_ == '\n' ||
                      (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n'));
    if (!ends) misread("the cell to end with its closing quote (one within is doubled)");
  } else {
    text = unquoted();
    if (text.find('"') != std::string_view::npos) misread("quotes around all of a cell");
    at_ += text.size();
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  }
  return {text, place_, finish_cell()};
}

bool CsvCells::next_number(double& value, bool& ends_record) {
  if (end_ - at_ <= static_cast<std::ptrdiff_t>(kShortDecimalBytes)) return false;
  const auto [number, stop] = short_decimal(at_);
  if (stop == nullptr) return false;
  const bool ends = *stop == separator_ || *stop == '\n' || (*stop == '\r' && stop[1] == '\n');
  if (!ends) return false;
  place_ = {line_, in_record_ ? place_.cell + 1 : 1};
  value = number;
  at_ = stop;
  ends_record = finish_cell();
  return true;
}

// Up to the separator or the end of the line.
std::string_view CsvCells::unquoted() const {
  const char* stop =
      std::find_if(at_, end_, [this](char c) { return c == separator_ || c == '\n'; });
  if (stop > at_ && stop[-1] == '\r' && (stop == end_ || *stop == '\n')) --stop;
  return {at_, static_cast<std::size_t>(stop - at_)};
}

std::string_view CsvCells::quoted() {
  const char* begin = ++at_;
  unpacked_.clear();
  for (;;) {
    const char* const quote = std::find(at_, end_, '"');
    if (quote == end_) misread("a closing quote before the end of the file");
    for (const char* c = std::find(at_, quote, '\n'); c != quote;
         c = std::find(c + 1, quote, '\n')) {
      ++line_;
      line_begin_ = c + 1;
    }
    at_ = quote + 1;
    const bool doubled = at_ < end_ && *at_ == '"';
    if (!doubled && unpacked_.empty()) return {begin, static_cast<std::size_t>(quote - begin)};
    unpacked_.append(begin, doubled ? at_ : quote);
    if (!doubled) return unpacked_;
    begin = ++at_;
  }
}

// Steps over what ends the cell. Whether that ends the record too.
bool CsvCells::finish_cell() {
  in_record_ = at_ < end_ && *at_ == separator_;
  if (in_record_) {
    ++at_;
    return false;
  }
  if (at_ < end_ && *at_ == '\r') ++at_;
  if (at_ < end_) {
    line_begin_ = ++at_;
    ++line_;
  }
  return true;
}

void CsvCells::misread(const char* expected) const {
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  const std::string_view shown = rest.substr(0, rest.find('\n'));
  throw CsvMisread{place_, fmt::format("expected {}, got {}", expected,
                                       rest.empty() ? "the end" : quoted_token(shown))};
}

}  // namespace asynprox
