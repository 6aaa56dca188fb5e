// The virtual cluster that a user described.
#pragma once

#include "asynprox/simulator/cluster.h"

#include "cli/arguments.h"

namespace asynprox::cli {

// Throws ContractError, naming the option.
Cluster cluster_of(const ClusterArguments& arguments);

}  // namespace asynprox::cli
