#include "asynprox/run/plan_json.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/run/json_fields.h"

namespace asynprox {

std::string plan_json(const Plan& plan) { return json_fields::text_of(plan); }

Plan plan_from_json(std::string_view text, const ReadNumbers& read) {
  Plan plan = json_fields::value_of<Plan>(text, "plan", read);
  if (plan.version != kPlanVersion)
    throw DataError(fmt::format("plan.version: expected {}, got {}", kPlanVersion, plan.version));
  return plan;
}

}  // namespace asynprox
