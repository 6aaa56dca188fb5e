// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/simulator/compute_times/all.h"

namespace asynprox {

AnyComputeTime make_compute_time(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnyComputeTime>(AllComputeTimes{}, "compute time", spec, read);
}

}  // namespace asynprox
