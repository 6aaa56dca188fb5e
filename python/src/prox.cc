#include <nanobind/stl/string.h>

#include <map>
#include <string>

#include "asynprox/data/readers/read_numbers.h"
#include "asynprox/regularizers/all.h"

#include "arrays.h"
#include "callables.h"
#include "parts.h"

namespace asynprox::python {
namespace {

// h, ready for vectors of one length.
AnyRegularizer bound_regularizer(const std::string& spec, const nb::dict& files,
                                 std::size_t dimension) {
  return make_regularizer(parse_spec(spec), reader_of(files)).bound(dimension);
}

nb::object prox(const AnyRegularizer& h, const Doubles& v, double step) {
  Vector moved = vector_of(v);
  {
    const nb::gil_scoped_release released;
    h.prox(moved, step);
  }
  return array_of(std::move(moved));
}

}  // namespace

ReadNumbers reader_of(const nb::dict& files) {
  std::map<std::string, Vector> arrays;
  for (const auto& [name, array] : files)
    arrays[nb::cast<std::string>(name)] = vector_of(nb::cast<Doubles>(array));
  return [arrays = std::move(arrays)](const std::string& path) -> std::vector<double> {
    const auto place = arrays.find(path);
    return place != arrays.end() ? place->second : read_numbers(path);
  };
}

AnyRegularizer regularizer_of(const nb::object& regularizer, const nb::dict& files) {
  if (!nb::isinstance<nb::str>(regularizer)) return PythonRegularizer{shared(regularizer)};
  return make_regularizer(parse_spec(nb::cast<std::string>(regularizer)), reader_of(files));
}

void add_prox(nb::module_& module) {
  nb::class_<AnyRegularizer>(module, "Regularizer")
      .def("value",
           [](const AnyRegularizer& h, const Doubles& x) { return h.value({x.data(), x.size()}); })
      .def("prox", &prox, nb::arg("v"), nb::arg("step"));
  module.def("regularizer", &bound_regularizer, nb::arg("spec"), nb::arg("files"),
             nb::arg("dimension"));
}

}  // namespace asynprox::python
