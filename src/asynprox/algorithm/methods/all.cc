// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/algorithm/methods/all.h"

namespace asynprox {

AnyMethod make_method(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnyMethod>(AllMethods{}, "method", spec, read);
}

}  // namespace asynprox
