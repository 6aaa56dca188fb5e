// A result as text and back, to the bit: what the process that served a run tells the one that
// asked for it. Without the numbers of the model and of the intercept, which travel as arrays, and
// without the report of a simulation.
#pragma once

#include <string>
#include <string_view>

#include "asynprox/algorithm/trace.h"
#include "asynprox/run/result.h"

namespace asynprox {

std::string result_text(const Result& result);
std::string evaluation_text(const Evaluation& evaluation);

// Throw DataError, naming the field, for a text that the functions above do not write. The names of
// refinements are in Result::method_parts only.
Result result_from_text(std::string_view text);
Evaluation evaluation_from_text(std::string_view text);

}  // namespace asynprox
