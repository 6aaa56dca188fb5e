// THE list of regularisers. A new one is one header and one name here: the laws, the command line
// and the docs table follow.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/regularizers/any_regularizer.h"
#include "asynprox/regularizers/box.h"
#include "asynprox/regularizers/elastic_net.h"
#include "asynprox/regularizers/group_lasso.h"
#include "asynprox/regularizers/l1.h"
#include "asynprox/regularizers/l1_ball.h"
#include "asynprox/regularizers/l2_ball.h"
#include "asynprox/regularizers/l2_norm.h"
#include "asynprox/regularizers/linf_ball.h"
#include "asynprox/regularizers/nonneg.h"
#include "asynprox/regularizers/nonneg_ball.h"
#include "asynprox/regularizers/nonneg_l1.h"
#include "asynprox/regularizers/nuclear.h"
#include "asynprox/regularizers/simplex.h"
#include "asynprox/regularizers/slope.h"
#include "asynprox/regularizers/sparse_group_lasso.h"
#include "asynprox/regularizers/squared_l2.h"
#include "asynprox/regularizers/tv_1d.h"
#include "asynprox/regularizers/weighted_l1.h"
#include "asynprox/regularizers/zero.h"

namespace asynprox {

using AllRegularizers =
    Family<Zero, L1, WeightedL1, SquaredL2, ElasticNet, NonNeg, NonNegL1, Box, LinfBall, L2Ball,
           NonNegBall, Simplex, L1Ball, L2Norm, GroupLasso, SparseGroupLasso, Tv1d, Slope, Nuclear>;

// A strength that is a share of the largest useful one (l1:0.1max) is resolved first: share.h.
AnyRegularizer make_regularizer(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
