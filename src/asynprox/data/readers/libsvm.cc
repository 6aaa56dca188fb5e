#include "asynprox/data/readers/libsvm.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/line_blocks.h"
#include "asynprox/data/readers/ordered_work.h"

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

// Hands blocks on in the order of the file, whichever was parsed first.
class Blocks {
 public:
  Blocks(const std::string& file, const std::function<void(CollectedRows)>& take)
      : file_(file), take_(take) {}

  void add(NarrowBlock block) {
    if (block.problem)
      throw DataError(fmt::format("{}:{}:{}: {}", file_, num_lines_ + block.problem->line,
                                  block.problem->column, block.problem->message));
    num_lines_ += block.num_lines;
    num_samples_ += block.samples.labels.size();
    take_(std::move(block.samples));
  }

  void finish() const {
    if (num_samples_ == 0)
      throw DataError(fmt::format("{}: expected samples, got none in {} line{}", file_, num_lines_,
                                  num_lines_ == 1 ? "" : "s"));
  }

 private:
  const std::string& file_;
  const std::function<void(CollectedRows)>& take_;
  std::size_t num_lines_ = 0, num_samples_ = 0;
};

}  // namespace

void read_libsvm_blocks(InputStream& stream, const LibsvmOptions& options,
                        const std::function<void(CollectedRows)>& take) {
  skip_byte_order_mark(stream);
  Blocks parsed(stream.name(), take);
  const auto join = [&](NarrowBlock block) { parsed.add(std::move(block)); };
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
  parsed.finish();
}

CollectedRows read_libsvm(InputStream& stream, const LibsvmOptions& options) {
  CollectedRows all;
  read_libsvm_blocks(stream, options, [&](CollectedRows block) { all.add(std::move(block)); });
  return all;
}

}  // namespace asynprox
