// Every method there is, with its usual parameters.
#pragma once

#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

inline std::vector<AnyMethod> all_methods() {
  std::vector<AnyMethod> methods;
  for_each_member(AllMethods{}, [&]<class M>(std::type_identity<M>) { methods.emplace_back(M{}); });
  return methods;
}

// Those of them that can be used to minimise f + h.
inline std::vector<AnyMethod> methods_for(const AnyFiniteSum& f, const AnyRegularizer& h) {
  const Problem problem = make_problem(f, h);
  std::vector<AnyMethod> methods = all_methods();
  std::erase_if(methods,
                [&](const AnyMethod& method) { return !method.obstacle(problem).empty(); });
  return methods;
}

}  // namespace asynprox
