// THE list of losses. A new loss is one header and one name here: the laws, the command line and
// the docs table follow.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/losses/huber.h"
#include "asynprox/losses/logistic.h"
#include "asynprox/losses/pca.h"
#include "asynprox/losses/sigmoid.h"
#include "asynprox/losses/squared.h"
#include "asynprox/losses/squared_hinge.h"

namespace asynprox {

using AllLosses =
    Family<PcaLoss, SquaredLoss, LogisticLoss, SquaredHingeLoss, HuberLoss, SigmoidLoss>;

inline AnyLoss make_loss(const Spec& spec, const ReadNumbers& read = nullptr) {
  return make_from_family<AnyLoss>(AllLosses{}, "loss", spec, read);
}

}  // namespace asynprox
