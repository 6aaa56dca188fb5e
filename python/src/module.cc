// asynprox._engine: the engine for Python. The package around it checks and converts; here plain
// values cross.
#include "asynprox/base/errors.h"
#include "asynprox/version.h"

#include "parts.h"

namespace nb = nanobind;

NB_MODULE(_engine, module) {
  using namespace asynprox;
  // A result that is alive at exit may be part of a cycle through a caller's function: no leak of ours.
  nb::set_leak_warnings(false);
  module.attr("__version__") = kVersion.data();
  // Python expects ValueError where an argument is wrong.
  nb::exception<Error>(module, "Error", PyExc_RuntimeError);
  nb::exception<ContractError>(module, "ContractError", PyExc_ValueError);
  nb::exception<DataError>(module, "DataError", PyExc_ValueError);
  nb::exception<BugError>(module, "BugError", PyExc_AssertionError);
  python::add_data(module);
  python::add_families(module);
  python::add_models(module);
  python::add_prox(module);
  python::add_runs(module);
  python::add_cluster(module);
}
