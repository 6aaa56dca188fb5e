// THE list of regularisers. A new one is one header and one name here: the laws, the command line
// and the docs table follow.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/regularizers/any_regularizer.h"
#include "asynprox/regularizers/l1.h"

namespace asynprox {

using AllRegularizers = Family<L1>;

inline AnyRegularizer make_regularizer(const Spec& spec, const ReadNumbers& read = nullptr) {
  return make_from_family<AnyRegularizer>(AllRegularizers{}, "regularizer", spec, read);
}

}  // namespace asynprox
