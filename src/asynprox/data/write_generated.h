// A generated data set, straight into a file in our binary form: what is held is a few blocks of
// rows, whatever its size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct WrittenRows {
  std::uint64_t num_nonzeros = 0;
  std::uint64_t bytes = 0;  // of the file
};

struct WriteOptions {
  int threads = 0;  // 0: one per core
  // Called now and then with the number of rows done; false ends the work, and no file is left.
  std::function<bool(std::uint64_t rows_done)> go_on = {};
};

// The file holds the same samples as read_dataset would give. Nothing if it was ended. Throws Error
// where the file cannot be written.
std::optional<WrittenRows> write_generated(const GeneratedRows& rows, const std::string& path,
                                           const WriteOptions& options = {});

}  // namespace asynprox
