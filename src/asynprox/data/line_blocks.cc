#include "asynprox/data/line_blocks.h"

#include <span>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {

LineBlocks::LineBlocks(InputStream& stream, std::size_t block_bytes)
    : stream_(stream), block_bytes_(block_bytes) {
  require(block_bytes > 0, "line blocks: expected a size of at least 1");
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
  while (!damage_) {
    const std::size_t before = block.size();  // no newline up to here
    const std::size_t count = append(block);
    if (count == 0 && !damage_) return block;
    const std::size_t newline = std::string_view(block).substr(before).rfind('\n');
    if (newline == std::string_view::npos) continue;
    rest_ = block.substr(before + newline + 1);
    block.resize(before + newline + 1);
    return block;
  }
  std::rethrow_exception(damage_);
}

}  // namespace asynprox
