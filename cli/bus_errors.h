// Data files are mapped. Where a page of one cannot be read (someone cut the file short, the disk
// failed), the system sends SIGBUS: the program says so, and ends with exit code 3.
#pragma once

namespace asynprox::cli {

// From now on, for the whole program.
void explain_bus_errors();

}  // namespace asynprox::cli
