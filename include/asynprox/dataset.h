// Data: Dataset, read_dataset, for_each_block, and splitting rows at random.
#pragma once

#include "asynprox/data/dataset.h"              // IWYU pragma: export
#include "asynprox/data/readers/read_blocks.h"  // IWYU pragma: export
#include "asynprox/data/split.h"                // IWYU pragma: export
