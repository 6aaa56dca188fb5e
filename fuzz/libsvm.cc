#include "asynprox/data/readers/libsvm.h"

#include "asynprox/base/errors.h"
#include "asynprox/base/hash.h"
#include "asynprox/data/fingerprint.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

// What comes of the file: a hash of the samples, or the error.
std::string read(const std::string& path, const LibsvmOptions& options) {
  try {
    InputStream stream(path);
    CollectedRows samples = read_libsvm(stream, options);
    const Rows rows = std::move(samples.rows).build(samples.num_columns);
    return std::to_string(rows_fingerprint(rows)) + fingerprint(samples.labels);
  } catch (const DataError& error) {
    return error.what();
  }
}

}  // namespace

void fuzz_libsvm(Input input) {
  // Blocks as large as usual would take longer to make than to read.
  constexpr std::size_t kBlock = 4096, kSmallBlock = 16;
  const std::string& path = memory_file(input);
  const bool zero_based = input.size() % 2 == 1;
  const auto read_in = [&](std::size_t block_bytes) {
    return read(path, {.zero_based = zero_based, .threads = 1, .block_bytes = block_bytes});
  };
  ensure(read_in(kSmallBlock) == read_in(kBlock), "the result depends on the size of the blocks");
}

}  // namespace asynprox::fuzz
