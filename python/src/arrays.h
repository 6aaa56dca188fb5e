// NumPy arrays of this module: one axis, contiguous, on the processor.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "asynprox/linalg/vectors.h"

namespace asynprox::python {

namespace nb = nanobind;

using Doubles = nb::ndarray<const double, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const std::int64_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A NumPy array that owns these numbers.
template <class Seen, class Number>
nb::object array_seen_as(std::vector<Number> numbers) {
  auto* const held = new std::vector<Number>(std::move(numbers));
  const nb::capsule owner(held,
                          [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Seen, nb::ndim<1>>(reinterpret_cast<Seen*>(held->data()),
                                                            {held->size()}, owner));
}

template <class Number>
nb::object array_of(std::vector<Number> numbers) {
  return array_seen_as<Number>(std::move(numbers));
}

// The same, which Python cannot write to.
template <class Number>
nb::object read_only(std::vector<Number> numbers) {
  return array_seen_as<const Number>(std::move(numbers));
}

inline nb::object array_of(std::span<const double> numbers) {
  return array_of(Vector(numbers.begin(), numbers.end()));
}

inline Vector vector_of(const Doubles& array) {
  return {array.data(), array.data() + array.size()};
}

}  // namespace asynprox::python
