// THE list of methods. A new one is one header and one name here: the laws, every runtime, the
// simulator, replay and `asynprox list` follow.
#pragma once

#include "asynprox/algorithm/methods/any_method.h"
#include "asynprox/algorithm/methods/asyn_prox_momentum.h"
#include "asynprox/algorithm/methods/asyn_prox_saga.h"
#include "asynprox/algorithm/methods/asyn_prox_sgd.h"
#include "asynprox/algorithm/methods/asyn_prox_svrg.h"
#include "asynprox/algorithm/methods/fista.h"
#include "asynprox/algorithm/methods/prox_gd.h"
#include "asynprox/algorithm/methods/prox_newton.h"
#include "asynprox/algorithm/methods/prox_sgd.h"
#include "asynprox/base/family.h"

namespace asynprox {

using AllMethods = Family<AsynProxSgd, AsynProxMomentum, AsynProxSaga, AsynProxSvrg, ProxSgd,
                          ProxGd, Fista, ProxNewton>;

}  // namespace asynprox
