#include "cli/config_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/number_token.h"

namespace asynprox::cli {
namespace {

// The reader takes time by the square of a list.
constexpr std::size_t kBytesMax = 1 << 16;
// A section is the name of a command, or of two of them, and then comes the name of an option.
constexpr std::ptrdiff_t kPartsMax = 4;
constexpr std::size_t kLineMin = 3;  // a=b

std::string text_in(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw DataError(fmt::format("{}: expected a file, got a directory", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (std::array<char, 1 << 14> piece; file && text.size() <= kBytesMax;) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad())
    throw DataError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (text.size() > kBytesMax)
    throw DataError(
        fmt::format("{}: expected options of at most {} KiB, got more", path, kBytesMax >> 10));
  return text;
}

// A line without its comment; `where` names it.
std::string_view without_comment(std::string_view line, const std::string& where) {
  for (std::size_t at = line.find_first_of("\"'#"); at < line.size();) {
    if (line[at] == '#') return line.substr(0, at);
    const std::size_t closing = line.find(line[at], at + 1);
    if (closing == std::string_view::npos)
      throw DataError(fmt::format("{}: expected a closing {} on the same line, got {}", where,
                                  line[at], quoted_token(line.substr(at))));
    at = line.find_first_of("\"'#", closing + 1);
  }
  return line;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\r'; }

void check_line(std::string_view line, const std::string& where) {
  if (std::ranges::any_of(line, is_control))
    throw DataError(fmt::format("{}: expected text, got {}", where, quoted_token(line)));
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return;
  line = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
  if (line.size() < kLineMin && line != "]")
    throw DataError(fmt::format("{}: expected name = value, got {}", where, quoted_token(line)));
  const std::string_view name = line.substr(0, line.front() == '[' ? line.npos : line.find('='));
  if (std::ranges::count(name, '.') >= kPartsMax)
    throw DataError(fmt::format("{}: expected a name of at most {} parts, got {}", where, kPartsMax,
                                quoted_token(name)));
}

}  // namespace

std::string config_text(const std::string& path) {
  const std::string text = text_in(path);
  std::string checked;
  std::size_t number = 1;
  for (std::string_view rest = text; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string where = fmt::format("{}:{}", path, number);
    const std::string_view whole = rest.substr(0, end);
    const std::size_t first = whole.find_first_not_of(" \t\r");
    const bool comment = first != whole.npos && whole[first] == ';';
    const std::string_view line = comment ? whole.substr(0, 0) : without_comment(whole, where);
    check_line(line, where);
    checked.append(line).append("\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return checked;
}

}  // namespace asynprox::cli
