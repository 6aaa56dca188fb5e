// A file in memory, for readers that want a path.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace asynprox::fuzz {

// A path that reads as an ordinary file of these bytes until the next call.
const std::string& memory_file(std::span<const std::byte> bytes);

}  // namespace asynprox::fuzz
