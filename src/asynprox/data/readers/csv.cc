#include "asynprox/data/readers/csv.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/csv_start.h"
#include "asynprox/data/readers/line_blocks.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/data/readers/ordered_work.h"

namespace asynprox {
namespace {

// A block whose rows are narrow already.
struct NarrowBlock {
  RowsBuilder rows = {};
  CsvLabels labels = {};
  std::size_t num_lines = 0;
  std::optional<CsvMisread> problem = {};
};

NarrowBlock narrow_block(std::string_view text, const CsvLayout& layout) {
  CsvBlock wide = parse_csv_block(text, layout);
  NarrowBlock block{.labels = std::move(wide.labels),
                    .num_lines = wide.num_lines,
                    .problem = std::move(wide.problem)};
  if (!block.problem) block.rows.add(wide.matrix);
  return block;
}

[[noreturn]] void fail(const std::string& file, std::size_t lines_before, const CsvMisread& what) {
  throw DataError(fmt::format("{}:{}:{}: {}", file, lines_before + what.place.line, what.place.cell,
                              what.message));
}

// Puts blocks together in the order of the file, whichever was parsed first.
class Joiner {
 public:
  Joiner(const std::string& file, const CsvStart& start)
      : file_(file), start_(start), num_lines_(start.header_lines) {}

  void add(NarrowBlock block) {
    if (block.problem) fail(file_, num_lines_, *block.problem);
    num_samples_ += block.labels.size();
    rows_.add(std::move(block.rows));
    labels_.add(std::move(block.labels), num_lines_);
    num_lines_ += block.num_lines;
  }

  void check_any() const {
    if (num_samples_ == 0)
      throw DataError(fmt::format("{}: expected samples{}, got none in {} line{}", file_,
                                  start_.has_header ? " after the header" : "", num_lines_,
                                  num_lines_ == 1 ? "" : "s"));
  }

  // Those that were added since the last time.
  CsvSamples take() {
    if (const auto& text = labels_.first_text(); text && labels_.too_many())
      fail(file_, 0,
           {text->place, fmt::format("expected a number, or at most {} different labels, got {}",
                                     kTextLabelsMax, quoted_token(text->spelling))});
    CsvLabels::Finished finished = std::exchange(labels_, {}).finish();
    return {{.rows = std::exchange(rows_, {}),
             .num_columns = start_.layout.num_columns,
             .labels = std::move(finished.labels)},
            std::exchange(feature_names_, {}),
            std::move(finished.names),
            start_.label_column,
            start_.label_column_name,
            std::exchange(columns_ignored_, {})};
  }

 private:
  const std::string& file_;
  const CsvStart& start_;
  std::vector<std::string> feature_names_ = start_.feature_names;
  std::vector<std::string> columns_ignored_ = start_.columns_ignored;
  std::size_t num_lines_, num_samples_ = 0;
  RowsBuilder rows_;
  CsvLabels labels_;
};

// Blocks of whole records, and the damage that ended them.
class RecordBlocks {
 public:
  RecordBlocks(InputStream& stream, std::size_t block_bytes)
      : blocks_(stream, block_bytes, Newlines::outside_quotes) {}

  // "" at the end and from damage on.
  std::string next() {
    if (damage_) return {};
    try {
      return blocks_.next();
    } catch (const DataError&) {
      damage_ = std::current_exception();
      return {};
    }
  }

  void rethrow_damage() const {
    if (damage_) std::rethrow_exception(damage_);
  }

 private:
  LineBlocks blocks_;
  std::exception_ptr damage_;
};

// How many records begin in the text, up to 2.
int records_in(std::string_view text) {
  int records = 0;
  bool in_quotes = false, in_record = false;
  for (const char c : text) {
    if (c == '\n' && !in_quotes) in_record = false;
    in_quotes = in_quotes != (c == '"');
    const bool begins = !in_record && c != '\n' && c != '\r' && c != ' ';
    in_record = in_record || begins;
    if (begins && ++records == 2) break;
  }
  return records;
}

// The first two records, if there are so many, and what comes with them.
std::string first_records(RecordBlocks& blocks) {
  std::string text;
  for (int records = 0; records < 2;) {
    const std::string block = blocks.next();
    if (block.empty()) break;
    records += records_in(block);
    text += block;
  }
  return text;
}

}  // namespace

bool is_csv(InputStream& stream) {
  constexpr std::size_t kLookedAt = 1 << 16;
  return is_csv_name(stream.name()) || looks_like_csv(stream.peek(kLookedAt));
}

namespace {

// Parses all of the stream; joined(joiner) is called after each block.
CsvSamples read_all(InputStream& stream, const CsvOptions& options,
                    const std::function<void(Joiner&)>& joined) {
  skip_byte_order_mark(stream);
  RecordBlocks blocks(stream, options.block_bytes);
  std::string text = first_records(blocks);
  CsvStart start;
  try {
    start = csv_start(text, options, stream.name());
  } catch (const CsvMisread& misread) {
    fail(stream.name(), 0, misread);
  }
  text.erase(0, start.header_bytes);
  Joiner joiner(stream.name(), start);
  const auto join = [&](NarrowBlock block) {
    joiner.add(std::move(block));
    joined(joiner);
  };
  OrderedWork<NarrowBlock, decltype(join)> parsing(threads_for(options.threads), join);
  for (; !text.empty(); text = blocks.next())
    parsing.add(
        [text = std::move(text), &layout = start.layout] { return narrow_block(text, layout); });
  // A record that cannot be read comes before damage further on.
  parsing.finish();
  blocks.rethrow_damage();
  joiner.check_any();
  return joiner.take();
}

}  // namespace

CsvSamples read_csv(InputStream& stream, const CsvOptions& options) {
  return read_all(stream, options, [](Joiner&) {});
}

void read_csv_blocks(InputStream& stream, const CsvOptions& options,
                     const std::function<void(CsvSamples)>& take) {
  read_all(stream, options, [&](Joiner& joiner) { take(joiner.take()); });
}

}  // namespace asynprox
