// How many samples touch each coordinate: what a sparse model's steps are weighed by.
#pragma once

#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

// Of every coordinate. f has the facet sparse; one pass over the samples.
Vector key_counts(const AnyFiniteSum& f);

}  // namespace asynprox
