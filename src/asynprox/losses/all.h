// THE list of losses, of one output and of several. A new loss is one header and one name here: the
// laws, the command line and the docs table follow.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/losses/huber.h"
#include "asynprox/losses/logistic.h"
#include "asynprox/losses/multinomial.h"
#include "asynprox/losses/pca.h"
#include "asynprox/losses/poisson.h"
#include "asynprox/losses/sigmoid.h"
#include "asynprox/losses/smoothed_hinge.h"
#include "asynprox/losses/squared.h"
#include "asynprox/losses/squared_hinge.h"
#include "asynprox/losses/squared_sigmoid.h"

namespace asynprox {

using ScalarLosses = Family<PcaLoss, SquaredLoss, LogisticLoss, SquaredHingeLoss, SmoothedHingeLoss,
                            HuberLoss, SigmoidLoss, SquaredSigmoidLoss, PoissonLoss>;
using VectorLosses = Family<MultinomialLoss>;

template <class... First, class... Second>
Family<First..., Second...> joined(Family<First...>, Family<Second...>);
using AllLosses = decltype(joined(ScalarLosses{}, VectorLosses{}));

AnyLoss make_loss(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
