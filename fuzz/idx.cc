#include "asynprox/data/readers/idx.h"

#include "asynprox/base/errors.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {

void fuzz_idx(Input input) {
  const std::string& path = memory_file(input);
  try {
    InputStream stream(path);
    IdxImages images = read_idx_images(stream);
    std::move(images.samples.rows).build(images.samples.num_columns);
  } catch (const DataError&) {
  }
  try {
    InputStream stream(path);
    read_idx_labels(stream);
  } catch (const DataError&) {
  }
}

}  // namespace asynprox::fuzz
