// THE list of generated data sets. A new one is one header and one name here.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/data/generators/generator.h"
#include "asynprox/data/generators/groups.h"
#include "asynprox/data/generators/lasso.h"
#include "asynprox/data/generators/nn_pca.h"
#include "asynprox/data/generators/poisson.h"
#include "asynprox/data/generators/ratings.h"
#include "asynprox/data/generators/sparse_logistic.h"

namespace asynprox {

using AllGenerators = Family<GroupsGenerator, LassoGenerator, NnPcaGenerator, PoissonGenerator,
                             RatingsGenerator, SparseLogisticGenerator>;

AnyGenerator make_generator(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
