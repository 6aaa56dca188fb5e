// Data that is looked at once, a block at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "asynprox/data/dataset.h"

namespace asynprox {

using VisitBlock = std::function<void(const Dataset&)>;

// Calls visit for the samples that read_dataset would read, in their order, a block of them at a
// time: memory does not grow with LIBSVM text, CSV and generated data. The binary form is mapped,
// and only its labels, weights and row scales are in memory; pictures are read whole.
//
// A block has as many columns as the largest that occurs in it, unless options.dimension says more.
// Where labels are text, each block has label numbers and names of its own, and a block whose
// labels are all numbers has numbers unless options.text_labels says otherwise; only the first has
// feature names. Throws as read_dataset
// does, after the blocks before the problem.
void for_each_block(const std::string& path, const ReadOptions& options, const VisitBlock& visit);

// The same of data that is there: `size` samples at a time, not copied.
void for_each_slice(const Dataset& data, const VisitBlock& visit, std::size_t size = 1 << 14);

}  // namespace asynprox
