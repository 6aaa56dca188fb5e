// What the hello of a run says (messages/hello.h).
#pragma once

#include <cstddef>
#include <string>

#include "asynprox/messages/hello.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// `data_fingerprint`: of the samples as used; empty where f is not a data set.
Hello hello_of(const Plan& plan, std::size_t dimension, std::string data_fingerprint);

}  // namespace asynprox
