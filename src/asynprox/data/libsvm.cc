#include "asynprox/data/libsvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <future>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/data/line_blocks.h"

namespace asynprox {
namespace {

std::size_t num_threads(const LibsvmOptions& options) {
  require(options.threads >= 0, "read: expected threads of at least 0");
  if (options.threads > 0) return static_cast<std::size_t>(options.threads);
  return std::max(1u, std::thread::hardware_concurrency());
}

void skip_byte_order_mark(InputStream& stream) {
  std::array<char, 3> mark;
  if (stream.peek(mark.size()) == "\xef\xbb\xbf") stream.read(mark);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Puts blocks together in the order of the file, whichever was parsed first.
class Joiner {
 public:
  explicit Joiner(const std::string& file) : file_(file) {}

  void add(const LibsvmBlock& block) {
    if (block.problem)
      throw DataError(fmt::format("{}:{}:{}: {}", file_, num_lines_ + block.problem->line,
                                  block.problem->column, block.problem->message));
    num_lines_ += block.num_lines;
    CsrMatrix& matrix = all_.matrix;
    const CsrMatrix& more = block.samples.matrix;
    const std::uint64_t shift = matrix.columns.size();
    for (std::size_t i = 1; i < more.offsets.size(); ++i)
      matrix.offsets.push_back(shift + more.offsets[i]);
    matrix.num_columns = std::max(matrix.num_columns, more.num_columns);
    append(matrix.columns, more.columns);
    append(matrix.values, more.values);
    append(all_.labels, block.samples.labels);
  }

  LabelledRows take() {
    if (all_.labels.empty())
      throw DataError(fmt::format("{}: expected samples, got none in {} line{}", file_, num_lines_,
                                  num_lines_ == 1 ? "" : "s"));
    return std::move(all_);
  }

 private:
  const std::string& file_;
  std::size_t num_lines_ = 0;
  LabelledRows all_;
};

// Parses blocks in the background, `threads` of them while another is read, and joins the oldest
// first.
class Parsing {
 public:
  Parsing(Joiner& joiner, const LibsvmOptions& options)
      : joiner_(joiner), threads_(num_threads(options)), zero_based_(options.zero_based) {}

  void add(std::string text) {
    const auto policy = threads_ > 1 ? std::launch::async : std::launch::deferred;
    blocks_.push_back(std::async(policy, [text = std::move(text), zero_based = zero_based_] {
      return parse_libsvm_block(text, zero_based);
    }));
    if (blocks_.size() > threads_) join_oldest();
  }

  void finish() {
    while (!blocks_.empty()) join_oldest();
  }

 private:
  void join_oldest() {
    std::future<LibsvmBlock> oldest = std::move(blocks_.front());
    blocks_.pop_front();
    joiner_.add(oldest.get());
  }

  Joiner& joiner_;
  const std::size_t threads_;
  const bool zero_based_;
  std::deque<std::future<LibsvmBlock>> blocks_;
};

}  // namespace

LabelledRows read_libsvm(InputStream& stream, const LibsvmOptions& options) {
  skip_byte_order_mark(stream);
  Joiner joiner(stream.name());
  Parsing parsing(joiner, options);
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
    parsing.add(std::move(text));
  }
  // A line that cannot be read comes before damage further on.
  parsing.finish();
  if (damage) std::rethrow_exception(damage);
  return joiner.take();
}

}  // namespace asynprox
