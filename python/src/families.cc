#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/family.h"
#include "asynprox/delays/all.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/kinds.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/options.h"
#include "asynprox/sampling/all.h"
#include "asynprox/step_sizes/all.h"

#include "keywords.h"
#include "parts.h"

namespace asynprox::python {
namespace {

nb::list members(const std::vector<MemberDescription>& described) {
  nb::list all;
  for (const MemberDescription& member : described) {
    nb::list parameters;
    for (const ParameterDescription& p : member.parameters)
      parameters.append(nb::make_tuple(p.name, p.default_value, p.bounds, p.meaning));
    all.append(nb::make_tuple(member.name, member.formula, parameters));
  }
  return all;
}

// Family -> [(name, formula, [(parameter, default or "", bounds, meaning)])]
nb::dict families() {
  nb::dict all;
  all["loss"] = members(describe(AllLosses{}));
  all["regularizer"] = members(describe(AllRegularizers{}));
  all["step"] = members(describe(AllStepSizes{}));
  all["sampling"] = members(describe(AllSamplings{}));
  all["method"] = members(describe(AllMethods{}));
  all["delays"] = members(describe(AllDelays{}));
  all["model"] = members(describe(AllModels{}));
  return all;
}

nb::dict keywords() {
  nb::dict all;
  for (const KeywordDescription& keyword : describe_keywords())
    all[nb::str(keyword.name.c_str())] = nb::make_tuple(keyword.type, keyword.meaning);
  return all;
}

}  // namespace

void add_families(nb::module_& module) {
  module.def("families", &families);
  module.def("keywords", &keywords);
}

}  // namespace asynprox::python
