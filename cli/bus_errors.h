// Data files are mapped. Where a page of one cannot be read (someone cut the file short, the disk
// failed), the system sends SIGBUS: the program says so, and ends with exit code 3.
#pragma once

#include <string>

namespace asynprox::cli {

// From now on, for the whole program.
void explain_bus_errors();

// A file that means nothing without the rest of its run, and is removed should the program end so.
// One at a time; it must be forgotten before it gets its name.
void remove_on_bus_error(const std::string& path);
void forget_on_bus_error();

}  // namespace asynprox::cli
