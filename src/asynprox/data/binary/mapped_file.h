// A file's bytes as memory: read by the system where they are looked at, and dropped again where
// memory is short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace asynprox {

struct MappedFile {
  std::span<const std::byte> bytes = {};
  std::shared_ptr<const void> owner = {};  // of the bytes
};

// Throws DataError, naming the path, for what cannot be opened or is no ordinary file. Whoever cuts
// the file short meanwhile ends the program (SIGBUS); replacing it by renaming does no harm.
MappedFile map_file(const std::string& path);

// Tells the system that these bytes, part of a mapped file, are looked at in no order: it then
// reads no more than is asked for.
void expect_random_reads(std::span<const std::byte> bytes);

// What this process may use: of the machine, or less if its control group says so.
std::uint64_t memory_size();

}  // namespace asynprox
