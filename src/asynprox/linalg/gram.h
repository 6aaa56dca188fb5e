// A sum of weights_i a_i a_i' over rows a_i, at a few coordinates: symmetric, p x p.
#pragma once

#include <cstddef>

#include "asynprox/base/fields.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct Gram {
  Vector entries;            // one row after the other
  std::size_t products = 0;  // that it took
};

template <IsA<Gram> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("entries", part.entries);
  visit("products", part.products);
}

}  // namespace asynprox
