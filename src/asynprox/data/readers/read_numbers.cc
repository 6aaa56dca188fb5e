#include "asynprox/data/readers/read_numbers.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/line_blocks.h"
#include "asynprox/data/readers/number_token.h"

namespace asynprox {
namespace {

constexpr std::size_t kBlockBytes = 1 << 16;

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  line = line.substr(0, line.find('#'));
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
}

double number_in(std::string_view text, double at_least, const std::string& file,
                 std::size_t line) {
  const NumberToken number = number_token(text);
  if (number.kind == NumberToken::Kind::finite && number.value >= at_least) return number.value;
  if (number.kind == NumberToken::Kind::finite)
    throw DataError(fmt::format("{}:{}: expected a number of at least {}, got {}", file, line,
                                at_least, quoted_token(text)));
  const bool not_finite = number.kind == NumberToken::Kind::not_finite;
  throw DataError(fmt::format("{}:{}: expected a {}number, got {}", file, line,
                              not_finite ? "finite " : "", quoted_token(text)));
}

}  // namespace

std::vector<double> read_numbers(const std::string& path, double at_least) {
  InputStream stream(path);
  LineBlocks blocks(stream, kBlockBytes);
  std::vector<double> numbers;
  std::size_t line_number = 0;
  for (std::string block = blocks.next(); !block.empty(); block = blocks.next()) {
    for (std::string_view rest = block; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      ++line_number;
      if (!line.empty()) numbers.push_back(number_in(line, at_least, stream.name(), line_number));
    }
  }
  return numbers;
}

}  // namespace asynprox
