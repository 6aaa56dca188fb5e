// A short name for the contents of data: equal data has the same, other data almost surely not.
#pragma once

#include <span>
#include <string>

#include "asynprox/data/dataset.h"

namespace asynprox {

// 16 hexadecimal digits, of the samples as used: entries, labels, weights and scales.
std::string fingerprint(const Dataset& data);
std::string fingerprint(std::span<const double> numbers);

}  // namespace asynprox
