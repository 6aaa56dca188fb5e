// Every method there is, with its usual parameters.
#pragma once

#include <vector>

#include "asynprox/algorithm/methods/all.h"

namespace asynprox {

inline std::vector<AnyMethod> all_methods() {
  std::vector<AnyMethod> methods;
  for_each_member(AllMethods{}, [&]<class M>(std::type_identity<M>) { methods.emplace_back(M{}); });
  return methods;
}

}  // namespace asynprox
