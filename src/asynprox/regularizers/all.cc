// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/regularizers/all.h"

#include "asynprox/regularizers/share.h"

namespace asynprox {

AnyRegularizer make_regularizer(const Spec& spec, const ReadNumbers& read) {
  require_no_share(spec);
  return make_from_family<AnyRegularizer>(AllRegularizers{}, "regularizer", spec, read);
}

}  // namespace asynprox
