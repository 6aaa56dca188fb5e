#include "asynprox/base/spec.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"

namespace asynprox {
namespace {

[[noreturn]] void fail(std::string_view text, std::size_t column, std::string_view problem) {
  throw ContractError(
      fmt::format("spec '{}', character {}: {}", shortened(text), column + 1, problem));
}

// Reads one parameter after another; `at_` is the place of the next character.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Spec spec() {
    Spec spec;
    spec.name = until(":");
    if (spec.name.empty()) fail(text_, 0, "expected a name");
    if (at_ == text_.size()) return spec;
    do {
      ++at_;
      spec.settings.push_back(setting(/*first=*/spec.settings.empty()));
    } while (at_ < text_.size());
    return spec;
  }

 private:
  Spec::Setting setting(bool first) {
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '"') return bare(quoted(), start, first);
    const std::string word = until(",=");
    if (at_ == text_.size() || text_[at_] == ',') return bare(word, start, first);
    if (word.empty()) fail(text_, start, "expected a key before '='");
    ++at_;
    return {word, value()};
  }

  Spec::Setting bare(std::string value, std::size_t start, bool first) const {
    if (value.empty()) fail(text_, start, "expected KEY=VALUE");
    if (!first) fail(text_, start, fmt::format("expected KEY=VALUE, got '{}'", shortened(value)));
    return {"", std::move(value)};
  }

  std::string value() {
    const std::size_t start = at_;
    if (at_ < text_.size() && text_[at_] == '"') return quoted();
    std::string word = until(",=");
    if (at_ < text_.size() && text_[at_] == '=')
      fail(text_, at_, "a value with '=' needs double quotes");
    if (word.empty()) fail(text_, start, "expected a value");
    return word;
  }

  std::string quoted() {
    const std::size_t start = at_++;
    std::string word = until("\"");
    if (at_ == text_.size()) fail(text_, start, "expected a closing double quote");
    ++at_;
    if (at_ < text_.size() && text_[at_] != ',') fail(text_, at_, "expected ',' after the quote");
    if (word.empty()) fail(text_, start, "expected a value");
    return word;
  }

  std::string until(std::string_view ends) {
    const std::size_t start = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return std::string(text_.substr(start, at_ - start));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Spec parse_spec(std::string_view text) { return Reader(text).spec(); }

std::string Spec::text() const {
  std::string text = name;
  for (const Setting& setting : settings) {
    text += text.size() == name.size() ? ':' : ',';
    if (!setting.key.empty()) text += setting.key + "=";
    const bool plain = setting.value.find_first_of(",=") == std::string::npos;
    text += plain ? setting.value : '"' + setting.value + '"';
  }
  return text;
}

double parse_number(std::string_view text, std::string_view what) {
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  double number = 0;
  const auto [end, error] =
      fast_float::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  const bool two_signs = text.size() != digits.size() && digits.starts_with('-');
  if (!whole || two_signs || !std::isfinite(number))
    throw ContractError(fmt::format("{}: expected a number, got '{}'", what, shortened(text)));
  return number;
}

std::vector<double> parse_numbers(std::string_view text, std::string_view what) {
  std::vector<double> numbers;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('/', start), text.size());
    numbers.push_back(parse_number(text.substr(start, end - start), what));
    start = end + 1;
  }
  return numbers;
}

}  // namespace asynprox
