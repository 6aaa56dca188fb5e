// A file of numbers, one per line: weights, groups, a start.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace asynprox {

// Plain or compressed; blank lines, and '#' to the end of a line, are skipped. Throws DataError,
// file:line: expected a number, got ..., also for one below `at_least`.
std::vector<double> read_numbers(const std::string& path,
                                 double at_least = -std::numeric_limits<double>::infinity());

}  // namespace asynprox
