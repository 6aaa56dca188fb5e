// What came of a run, from its plan, its server and its monitor.
#pragma once

#include <optional>

#include "asynprox/algorithm/server.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/result.h"
#include "asynprox/runtimes/monitor.h"

namespace asynprox {

// The constant step of the rule `theory`; empty where K is unknown or another rule is used.
std::optional<double> own_step(const Plan& plan);

// Once the run is over.
Result result_of(const Problem& problem, const Plan& plan, const Server& server,
                 const Monitor& monitor);

}  // namespace asynprox
