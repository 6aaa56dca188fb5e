#include "asynprox/data/libsvm.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/line_blocks.h"
#include "asynprox/data/ordered_work.h"

namespace asynprox {
namespace {

// A block whose rows are narrow already.
struct NarrowBlock {
  CollectedRows samples = {};
  std::size_t num_lines = 0;
  std::optional<LibsvmProblem> problem = {};
};

NarrowBlock narrow_block(std::string_view text, bool zero_based) {
  LibsvmBlock wide = parse_libsvm_block(text, zero_based);
  NarrowBlock block{.num_lines = wide.num_lines, .problem = std::move(wide.problem)};
  if (!block.problem) block.samples.add(wide.samples);
  return block;
}

// Puts blocks together in the order of the file, whichever was parsed first.
class Joiner {
 public:
  explicit Joiner(const std::string& file) : file_(file) {}

  void add(NarrowBlock block) {
    if (block.problem)
      throw DataError(fmt::format("{}:{}:{}: {}", file_, num_lines_ + block.problem->line,
                                  block.problem->column, block.problem->message));
    num_lines_ += block.num_lines;
    all_.add(std::move(block.samples));
  }

  CollectedRows take() {
    if (all_.labels.empty())
      throw DataError(fmt::format("{}: expected samples, got none in {} line{}", file_, num_lines_,
                                  num_lines_ == 1 ? "" : "s"));
    return std::move(all_);
  }

 private:
  const std::string& file_;
  std::size_t num_lines_ = 0;
  CollectedRows all_;
};

}  // namespace

CollectedRows read_libsvm(InputStream& stream, const LibsvmOptions& options) {
  skip_byte_order_mark(stream);
  Joiner joiner(stream.name());
  const auto join = [&](NarrowBlock block) { joiner.add(std::move(block)); };
  OrderedWork<NarrowBlock, decltype(join)> parsing(threads_for(options.threads), join);
  LineBlocks blocks(stream, options.block_bytes);
  std::exception_ptr damage;
  for (;;) {
    std::string text;
    try {
      text = blocks.next();
    } catch (const DataError&) {
      damage = std::current_exception();
    }
    if (text.empty()) break;
    parsing.add([text = std::move(text), zero_based = options.zero_based] {
      return narrow_block(text, zero_based);
    });
  }
  // A line that cannot be read comes before damage further on.
  parsing.finish();
  if (damage) std::rethrow_exception(damage);
  return joiner.take();
}

}  // namespace asynprox
