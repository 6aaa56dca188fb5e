// The text of a --config file, checked before a TOML reader that believes what it gets.
#pragma once

#include <string>

namespace asynprox::cli {

// What stands in the file, without comments: line by line as it was. DataError, naming the file and
// the line, for a file that cannot be read or is larger than 64 KiB, a quote that is not closed on
// its line, control characters, a name of more than four parts, and a line too short to be "name =
// value".
std::string config_text(const std::string& path);

}  // namespace asynprox::cli
