// LIBSVM text from a stream, parsed by several threads. The grammar is in libsvm_block.h.
#pragma once

#include <functional>

#include "asynprox/data/readers/input_stream.h"
#include "asynprox/data/readers/libsvm_block.h"

namespace asynprox {

struct LibsvmOptions {
  // Columns count from 0 instead of 1.
  bool zero_based = false;
  // Threads that parse. 0: one per core.
  int threads = 0;
  // Text that a thread parses at a time. Changes the speed only.
  std::size_t block_bytes = 1 << 18;
};

// A UTF-8 byte order mark is skipped. Throws DataError, file:line:column: expected ..., got ...,
// for the first problem in the file; like the result, it depends on no option of speed. A file
// without samples is a DataError too.
CollectedRows read_libsvm(InputStream& stream, const LibsvmOptions& options = {});

// The same, handed over block by block in the order of the file and not kept: memory does not grow
// with the file. A block may have no samples.
void read_libsvm_blocks(InputStream& stream, const LibsvmOptions& options,
                        const std::function<void(CollectedRows)>& take);

}  // namespace asynprox
