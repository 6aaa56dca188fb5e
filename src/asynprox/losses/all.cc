// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/losses/all.h"

namespace asynprox {

AnyLoss make_loss(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnyLoss>(AllLosses{}, "loss", spec, read);
}

}  // namespace asynprox
