#include "asynprox/data/readers/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/fingerprint.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

// What comes of the file: its names and hashes of its samples, or the error.
std::string read(const std::string& path, const CsvOptions& options) {
  try {
    InputStream stream(path);
    CsvSamples read = read_csv(stream, options);
    CollectedRows& samples = read.samples;
    const Rows rows = std::move(samples.rows).build(samples.num_columns);
    return fmt::format("{} {} {} {} {} {}", rows_fingerprint(rows), fingerprint(samples.labels),
                       read.feature_names, read.label_names, read.label_column,
                       read.label_column_name);
  } catch (const DataError& error) {
    return error.what();
  }
}

}  // namespace

void fuzz_csv(Input input) {
  // Blocks as large as usual would take longer to make than to read.
  constexpr std::size_t kBlock = 4096, kSmallBlock = 16;
  const std::string& path = memory_file(input);
  const auto variant = [&](std::size_t block_bytes) -> CsvOptions {
    CsvOptions options = {.threads = 1, .block_bytes = block_bytes};
    switch (input.size() % 4) {
      case 0: options.feature_names = {"b", "a"}, options.labels_optional = true; break;
      case 1: options.label_column = "1", options.header = CsvHeader::no; break;
      case 2: options.text_labels = true; break;
      default: break;
    }
    return options;
  };
  ensure(read(path, variant(kSmallBlock)) == read(path, variant(kBlock)),
         "the result depends on the size of the blocks");
}

}  // namespace asynprox::fuzz
