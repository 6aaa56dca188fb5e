// A strength written as a share of the largest useful one, which only the data can tell:
//
//   l1:0.1max       lambda is 0.1 times the least lambda at which x = 0 is a solution
//
// x = 0 minimises f + h exactly where it minimises <g, x> + h(x), g the gradient of f at 0, so that
// all the data has to say is g. A member can be given so if it has zero_strength (regularizer.h),
// and then its first parameter.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/base/spec.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// The parameter of the regulariser of this name that can be given so; "" if none can.
std::string share_parameter(std::string_view regularizer);

// Whether the spec of a regulariser has such a share. Throws ContractError, naming those that can,
// where it has one in a place that cannot.
bool has_share(const Spec& spec);

// Throws ContractError where it has one: a member needs a number.
void require_no_share(const Spec& spec);

// The spec with `strength` in the share's place; as it is where it has none.
Spec with_strength(const Spec& spec, double strength);

// The spec with the share replaced by the number it stands for, which reads back to the same bits;
// as it is, without a call of gradient_at_zero, where it has none. The gradient is of the
// coordinates that h sees: without those of intercepts, which are best solved for first.
Spec resolve_share(const Spec& spec, const ReadNumbers& read,
                   const std::function<Vector()>& gradient_at_zero);

}  // namespace asynprox
