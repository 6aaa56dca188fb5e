// What the program asks of the system before it does anything else.
#pragma once

namespace asynprox::cli {

// First thing in main, before any file is opened:
//
// - Descriptors 0 to 2 that are closed lead to /dev/null: else the next file to be opened, a record
//   for example, would get their number, and what is printed would be written into it.
// - Writing to a pipe that nobody reads, and beyond the limit of a file's size (ulimit -f), fails
//   with an error, EPIPE or EFBIG, instead of ending the program: work is saved, and files that
//   were begun are removed.
void prepare_process();

}  // namespace asynprox::cli
