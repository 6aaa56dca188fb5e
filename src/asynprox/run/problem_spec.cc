#include "asynprox/run/problem_spec.h"

#include "asynprox/run/json_fields.h"

namespace asynprox {

std::string problem_json(const ProblemSpec& problem) { return json_fields::text_of(problem); }

ProblemSpec problem_from_json(std::string_view text) {
  return json_fields::value_of<ProblemSpec>(text, "problem");
}

}  // namespace asynprox
