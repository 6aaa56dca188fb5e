// A file that is written whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

// Writes to a new file beside `path`, waits until the disk has it, and renames it: whoever reads
// `path` finds the old bytes or the new ones. A link to a file is followed; what is no ordinary
// file (a pipe, a device) is written to directly, and a pipe must have a reader. Throws Error,
// "<path>: cannot be written: <reason>", for a full disk too; an ordinary file at `path` is then as
// it was, and nothing is left beside it.
void write_whole_file(const std::string& path, std::string_view bytes);

}  // namespace asynprox
