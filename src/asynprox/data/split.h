// A share of the samples held out, for what a model is worth on data it has not seen.
#pragma once

#include <cstdint>

#include "asynprox/data/dataset.h"

namespace asynprox {

struct Split {
  Dataset train;
  Dataset test;
};

// round(test_share * n) samples chosen at random by the seed are the test; both parts keep the
// order of the samples, every column, names and shapes. 0 < test_share < 1, and it leaves a sample
// to each part (ContractError).
Split split(const Dataset& data, double test_share, std::uint64_t seed);

}  // namespace asynprox
