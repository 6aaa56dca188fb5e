// Files of a record: what stands in their place by mistake or by malice must not keep a program
// waiting.
#pragma once

#include <string>

#include "asynprox/base/file.h"

namespace asynprox {

// Opens an ordinary file for reading. Throws DataError where there is none, and for a pipe, a
// device or a folder: opening a pipe waits for whoever writes to it, maybe for ever.
File open_regular_file(const std::string& path);

}  // namespace asynprox
