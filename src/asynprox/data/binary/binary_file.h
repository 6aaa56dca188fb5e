// Data in our own binary form (docs/binary_form.md): rows as they lie in memory, so that a file is
// mapped, not read, and may be larger than memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "asynprox/data/dataset.h"

namespace asynprox {

// Whether a file that starts like this is in the binary form.
bool is_binary_start(std::string_view start);

// Whether `path` is an ordinary file in the binary form.
bool is_binary_file(const std::string& path);

// Whether opening looks at the offsets and columns of all rows, which is to read these sections
// once. Rows whose entries are believed must be checked (Rows::check_entries) before their first
// use: a column beyond the last is a place beyond the end of the model.
enum class Entries : std::uint8_t { checked, believed };

// Maps the file; the cost is that of its header, chunk table, labels, weights and scales, and of
// what `entries` says. DataError where these are damaged, the file is cut short, or its parts do
// not agree. Values are believed: see verify_binary_file().
Dataset open_binary_file(const std::string& path, Entries entries = Entries::checked);

// Reads all of it. DataError, naming sections and ranges of bytes, if a chunk is not as it was
// written; or naming the row, if a row is not what rows must be.
void verify_binary_file(const std::string& path);

// Everything that `data` carries. Throws Error where the file cannot be written; then there is none
// under `path`, or the one that was there. `go_on`, if any, is called now and then: false ends the
// work, and no file is left. Returns the size of the file, or nothing if it was ended.
std::optional<std::uint64_t> write_binary_file(const Dataset& data, const std::string& path,
                                               const std::function<bool()>& go_on = nullptr);

}  // namespace asynprox
