// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/sampling/all.h"

namespace asynprox {

AnySampling make_sampling(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnySampling>(AllSamplings{}, "sampling", spec, read);
}

}  // namespace asynprox
