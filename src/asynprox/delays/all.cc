// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/delays/all.h"

namespace asynprox {

AnyDelay make_delay(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnyDelay>(AllDelays{}, "delay", spec, read);
}

}  // namespace asynprox
