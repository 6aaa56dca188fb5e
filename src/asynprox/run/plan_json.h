// A plan as JSON and back, to the bit: what run.json holds, and what is handed to another process.
#pragma once

#include <string>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// An object with a field for each part. Numbers that are not finite are the strings
// "inf", "-inf" and "nan".
std::string plan_json(const Plan& plan);

// Throws DataError, naming the field, for all that plan_json does not write. `read`: the files
// that delays name.
Plan plan_from_json(std::string_view text, const ReadNumbers& read = nullptr);

}  // namespace asynprox
