#include "asynprox/data/readers/line_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Where lines end, found as text comes.
class LineEnds {
 public:
  explicit LineEnds(Newlines newlines) : quotes_count_(newlines == Newlines::outside_quotes) {}

  // The last newline of the text that ends a line; npos if none does.
  std::size_t last_in(std::string_view text) {
    std::size_t last = std::string_view::npos;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t quote = quotes_count_ ? text.find('"', begin) : std::string_view::npos;
      const std::size_t end = std::min(quote, text.size());
      const std::size_t newline = text.substr(begin, end - begin).rfind('\n');
      if (!in_quotes_ && newline != std::string_view::npos) last = begin + newline;
      if (quote == std::string_view::npos) break;
      in_quotes_ = !in_quotes_;
      begin = quote + 1;
    }
    return last;
  }

 private:
  bool quotes_count_;
  bool in_quotes_ = false;
};

}  // namespace

LineBlocks::LineBlocks(InputStream& stream, std::size_t block_bytes, Newlines newlines,
                       std::size_t line_bytes_max)
    : stream_(stream),
      block_bytes_(block_bytes),
      line_bytes_max_(line_bytes_max),
      newlines_(newlines) {
  require(block_bytes > 0, "line blocks: expected a size of at least 1");
}

void LineBlocks::fail_too_long() const {
  throw DataError(fmt::format(
      "{}: expected lines of at most {} MiB, got a longer one{}", stream_.name(),
      line_bytes_max_ >> 20,
      newlines_ == Newlines::outside_quotes ? " (or a quote that is never closed)" : ""));
}

std::size_t LineBlocks::append(std::string& block) {
  const std::size_t before = block.size();
  std::size_t count = 0;
  block.resize(before + block_bytes_);
  try {
    count = stream_.read(std::span(block).subspan(before));
  } catch (const DataError&) {
    damage_ = std::current_exception();
  }
  block.resize(before + count);
  return count;
}

std::string LineBlocks::next() {
  std::string block = std::exchange(rest_, {});
  LineEnds ends(newlines_);
  ends.last_in(block);
  while (!damage_) {
    const std::size_t before = block.size();  // no line ends up to here
    const std::size_t count = append(block);
    if (count == 0 && !damage_) return block;
    const std::size_t newline = ends.last_in(std::string_view(block).substr(before));
    if (newline == std::string_view::npos) {
      if (block.size() > line_bytes_max_) fail_too_long();
      continue;
    }
    rest_ = block.substr(before + newline + 1);
    block.resize(before + newline + 1);
    return block;
  }
  std::rethrow_exception(damage_);
}

}  // namespace asynprox
