#include "asynprox/data/readers/csv_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/data/readers/utf8.h"

namespace asynprox {

void CsvLabels::add(const CsvCell& cell, bool as_text) {
  using Kind = NumberToken::Kind;
  const NumberToken number = number_token(cell.text);
  if (cell.text.empty() || number.kind == Kind::not_finite)
    throw CsvMisread{cell.place,
                     fmt::format("expected a {}label, got {}", cell.text.empty() ? "" : "finite ",
                                 quoted_token(cell.text))};
  const bool is_text = number.kind == Kind::not_a_number;
  if (is_text && cell.text != last_ && !is_utf8(cell.text))
    throw CsvMisread{cell.place,
                     fmt::format("expected a label in UTF-8, got {}", quoted_token(cell.text))};
  if ((is_text || as_text) && !first_text_) first_text_ = Text{cell.place, std::string(cell.text)};
  numbers_.push_back(number.value);
  if (!too_many_) codes_.push_back(code_of(cell.text));
}

std::uint32_t CsvLabels::code_of(std::string_view spelling) {
  if (spelling == last_ && !spellings_.empty()) return last_code_;
  last_ = std::string(spelling);
  const auto [found, is_new] =
      code_of_.emplace(last_, static_cast<std::uint32_t>(spellings_.size()));
  if (is_new) {
    spellings_.push_back(last_);
    too_many_ = spellings_.size() > kTextLabelsMax;
  }
  return last_code_ = found->second;
}

void CsvLabels::add(CsvLabels&& more, std::size_t lines_before) {
  numbers_.insert(numbers_.end(), more.numbers_.begin(), more.numbers_.end());
  if (more.first_text_ && !first_text_) {
    first_text_ = std::move(more.first_text_);
    first_text_->place.line += lines_before;
  }
  too_many_ = too_many_ || more.too_many_;
  if (too_many_) return;
  std::vector<std::uint32_t> codes;
  codes.reserve(more.spellings_.size());
  for (const std::string& spelling : more.spellings_) codes.push_back(code_of(spelling));
  for (const std::uint32_t code : more.codes_) codes_.push_back(codes[code]);
}

CsvLabels::Finished CsvLabels::finish() && {
  if (!first_text_) return {std::move(numbers_), {}};
  ensure(!too_many_, "too many text labels");
  std::vector<std::uint32_t> order(spellings_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t code) { return spellings_[code]; });
  Finished finished;
  Vector number_of(order.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    number_of[order[rank]] = static_cast<double>(rank);
    finished.names.push_back(spellings_[order[rank]]);
  }
  finished.labels.reserve(codes_.size());
  for (const std::uint32_t code : codes_) finished.labels.push_back(number_of[code]);
  return finished;
}

}  // namespace asynprox
