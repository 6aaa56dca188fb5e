#include "asynprox/data/readers/libsvm_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "asynprox/data/readers/digits.h"
#include "asynprox/data/readers/number_token.h"

namespace asynprox {
namespace {

using Kind = NumberToken::Kind;

constexpr std::int64_t kColumnMax = 2147483647;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* skip_blanks(const char* at, const char* end) {
  while (at < end && is_blank(*at)) ++at;
  return at;
}

const char* token_end(const char* at, const char* end) {
  while (at < end && !is_blank(*at)) ++at;
  return at;
}

struct Feature {
  std::int64_t column = 0;  // as written; kColumnMax + 1 stands for all that are larger
  double value = 0;
  Kind kind = Kind::not_a_number;  // of the whole token
};

Feature parse_feature(std::string_view token) {
  Feature feature;
  std::size_t at = 0;
  for (; at < token.size() && is_digit(token[at]); ++at)
    feature.column = std::min(10 * feature.column + (token[at] - '0'), kColumnMax + 1);
  if (at == 0 || at == token.size() || token[at] != ':') return feature;
  const NumberToken number = number_token(token.substr(at + 1));
  feature.value = number.value;
  feature.kind = number.kind;
  return feature;
}

// The common case at once: a column of up to 8 digits and a short decimal. Null where it is not, or
// where fewer bytes can be read than that may look at.
//
// Columns rise, so their length seldom changes and is guessed right: digit by digit is fastest.
// So is a value of one digit, which many files have throughout; other lengths change all the time.
const char* parse_short_feature(const char* at, const char* readable_end, Feature& feature) {
  constexpr int kColumnDigits = 8;
  if (readable_end - at < kColumnDigits + 1 + static_cast<std::ptrdiff_t>(kShortDecimalBytes))
    return nullptr;
  const char* colon = at;
  std::int64_t column = 0;
  for (; is_digit(*colon) && colon - at < kColumnDigits; ++colon)
    column = 10 * column + (*colon - '0');
  if (colon == at || *colon != ':') return nullptr;
  feature = {column, static_cast<double>(colon[1] - '0'), Kind::finite};
  if (is_digit(colon[1]) && colon[2] <= ' ') return colon + 2;
  const auto [value, stop] = short_decimal(colon + 1);
  feature.value = value;
  return stop;
}

std::string label_problem(std::string_view token) {
  const bool finite = number_token(token).kind != Kind::not_finite;
  const bool is_feature = token.find(':') != std::string_view::npos;
  return fmt::format("expected a {}label, got {}{}", finite ? "" : "finite ", quoted_token(token),
                     is_feature ? " (a line starts with its label)" : "");
}

struct Misread {
  const char* place;
  std::string message;
};

class BlockParser {
 public:
  BlockParser(std::string_view text, bool zero_based)
      : rest_(text), text_end_(text.data() + text.size()), column_min_(zero_based ? 0 : 1) {
    constexpr std::size_t kFeatureBytesMin = 4;  // a blank and 1:1
    matrix_.columns.reserve(text.size() / kFeatureBytesMin);
    matrix_.values.reserve(text.size() / kFeatureBytesMin);
  }

  LibsvmBlock parse() {
    while (!rest_.empty()) {
      const std::string_view line = next_line();
      try {
        parse_line(line);
      } catch (Misread& misread) {
        const auto column = static_cast<std::size_t>(misread.place - line.data()) + 1;
        block_.problem = {block_.num_lines, column, std::move(misread.message)};
        break;
      }
    }
    return std::move(block_);
  }

 private:
  std::string_view next_line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++block_.num_lines;
    line = line.substr(0, line.find('#'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void parse_line(std::string_view line) {
    const char* const end = line.data() + line.size();
    const char* at = skip_blanks(line.data(), end);
    if (at == end) return;
    at = add_label(at, end);
    std::int64_t previous = column_min_ - 1;
    while ((at = skip_blanks(at, end)) < end) at = add_feature(at, end, previous);
    matrix_.offsets.push_back(matrix_.columns.size());
    if (previous >= column_min_)
      matrix_.num_columns = std::max(matrix_.num_columns, num_columns_with(previous));
  }

  const char* add_label(const char* at, const char* end) {
    const char* const stop = token_end(at, end);
    const NumberToken label = number_token({at, stop});
    if (label.kind != Kind::finite) throw Misread{at, label_problem({at, stop})};
    block_.samples.labels.push_back(label.value);
    return stop;
  }

  const char* add_feature(const char* at, const char* end, std::int64_t& previous) {
    Feature feature;
    const char* stop = parse_short_feature(at, text_end_, feature);
    if (stop == nullptr || (stop != end && !is_blank(*stop))) {
      stop = token_end(at, end);
      feature = parse_feature({at, stop});
    }
    if (feature.kind != Kind::finite || feature.column <= previous || feature.column > kColumnMax)
        [[unlikely]]
      throw Misread{at, feature_problem({at, stop}, previous)};
    previous = feature.column;
    if (feature.value == 0) return stop;
    matrix_.columns.push_back(static_cast<Key>(feature.column - column_min_));
    matrix_.values.push_back(feature.value);
    return stop;
  }

  std::string feature_problem(std::string_view token, std::int64_t previous) const {
    const Feature feature = parse_feature(token);
    const std::string got = quoted_token(token);
    if (token.starts_with("qid:"))
      return fmt::format("expected <column>:<value>, got {} (queries are for ranking)", got);
    if (token.size() > 1 && token[0] == '-' && is_digit(token[1]))
      return fmt::format("expected a column of at least {}, got {}", column_min_, got);
    if (feature.kind == Kind::not_a_number)
      return fmt::format("expected <column>:<value>, got {}", got);
    if (feature.kind == Kind::not_finite)
      return fmt::format("expected a finite value, got {}", got);
    if (feature.column > kColumnMax)
      return fmt::format("expected a column of at most {}, got {}", kColumnMax, got);
    if (feature.column < column_min_)
      return fmt::format("expected a column of at least 1, got {} (--zero-based: count from 0)",
                         got);
    return fmt::format("expected a column above {}, got {} (columns rise within a line)", previous,
                       got);
  }

  std::size_t num_columns_with(std::int64_t column) const {
    return static_cast<std::size_t>(column - column_min_ + 1);
  }

  std::string_view rest_;
  const char* const text_end_;
  const std::int64_t column_min_;
  LibsvmBlock block_;
  CsrMatrix& matrix_ = block_.samples.matrix;
};

}  // namespace

LibsvmBlock parse_libsvm_block(std::string_view text, bool zero_based) {
  return BlockParser(text, zero_based).parse();
}

}  // namespace asynprox
