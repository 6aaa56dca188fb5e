#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "asynprox/models/features.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/models/model_file.h"
#include "asynprox/models/predictions.h"
#include "asynprox/models/scores.h"
#include "asynprox/models/user_units.h"

#include "arrays.h"
#include "parts.h"

namespace asynprox::python {
namespace {

// Columns that have names on both sides are matched by these.
Vector scores_of(const FittedModel& model, const Data& data) {
  const nb::gil_scoped_release released;
  FeatureMatcher features(model);
  const std::optional<Dataset> moved = features.moved(data.dataset);
  return scores(model, moved ? *moved : data.dataset).u;
}

}  // namespace

void add_models(nb::module_& module) {
  nb::class_<FittedModel>(module, "Model")
      .def_static("read", &read_model, nb::arg("path"))
      .def("json", &model_json)
      .def_ro("loss", &FittedModel::loss)
      .def_ro("regularizer", &FittedModel::regularizer)
      .def_ro("outputs", &FittedModel::outputs)
      .def_ro("label_names", &FittedModel::label_names)
      .def_ro("feature_names", &FittedModel::feature_names)
      .def_ro("version", &FittedModel::version)
      .def_prop_ro("num_features", [](const FittedModel& model) { return model.dimension(); })
      .def_prop_ro("x", [](const FittedModel& model) { return array_of(model.x); })
      .def_prop_ro("intercept", [](const FittedModel& model) { return array_of(model.intercept); })
      .def_prop_ro("user_units",
                   [](const FittedModel& model) {
                     const UserUnits units = in_user_units(model);
                     return nb::make_tuple(array_of(units.coefficients),
                                           array_of(units.intercepts));
                   })
      .def_prop_ro("classes",
                   [](const FittedModel& model) {
                     if (!model.labels) return array_of(model.classes);
                     return array_of(Vector{model.labels->negative, model.labels->positive});
                   })
      .def_prop_ro("has_probabilities", &has_probabilities)
      .def("scores", [](const FittedModel& model,
                        const Data& data) { return array_of(scores_of(model, data)); })
      .def("labels",
           [](const FittedModel& model, const Data& data) {
             return array_of(predicted_labels(model, scores_of(model, data)));
           })
      .def("probabilities", [](const FittedModel& model, const Data& data) {
        return array_of(probabilities(model, scores_of(model, data)));
      });
}

}  // namespace asynprox::python
