// The parts of the module: each file adds its own.
#pragma once

#include <nanobind/nanobind.h>

#include "asynprox/base/family.h"
#include "asynprox/data/dataset.h"
#include "asynprox/regularizers/any_regularizer.h"

namespace asynprox::python {

namespace nb = nanobind;

// A data set that borrows arrays of the caller's, and keeps them.
struct Data {
  Dataset dataset;
  nb::object arrays;
};

void add_cluster(nb::module_& module);
void add_data(nb::module_& module);
void add_families(nb::module_& module);
void add_models(nb::module_& module);
void add_prox(nb::module_& module);
void add_runs(nb::module_& module);

// `files`: from the names that specs hold to arrays of numbers. Other names are paths. The reader has
// copies, and may be called without the GIL.
ReadNumbers reader_of(const nb::dict& files);

// A spec, by the arrays that it names, or a Python object with value and prox.
AnyRegularizer regularizer_of(const nb::object& regularizer, const nb::dict& files);

}  // namespace asynprox::python
