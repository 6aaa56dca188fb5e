// A plan and a problem as JSON and back, to the bit: what run.json holds, and what is handed to
// another process.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/problem_spec.h"

namespace asynprox {

// An object with a field for each part. Numbers that are not finite are the strings "inf", "-inf"
// and "nan".
std::string plan_json(const Plan& plan);
std::string problem_json(const ProblemSpec& problem);

// Throw DataError, naming the field, for all that these do not write. `read`: the files that
// delays name. A plan that can be read may still make no sense: see check_plan().
Plan plan_from_json(std::string_view text, const ReadNumbers& read = nullptr);
ProblemSpec problem_from_json(std::string_view text);

// The limits of a run up to each moment at which it went on from a checkpoint, in order.
std::string limits_json(const std::vector<StoppingRules>& limits);
std::vector<StoppingRules> limits_from_json(std::string_view text);

}  // namespace asynprox
