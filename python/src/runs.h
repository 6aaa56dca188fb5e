// A run for Python, from the call to what came of it: in this process (runs.cc), or in several
// (cluster.cc).
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <vector>

#include "asynprox/fit/fit_problem.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/report/run_record.h"
#include "asynprox/sums/any_finite_sum.h"

#include "arrays.h"
#include "keywords.h"
#include "parts.h"

namespace asynprox::python {

// What a call says beside its problem.
struct Call {
  KeywordTexts keywords;
  nb::dict files;          // arrays that specs name
  nb::object regularizer;  // a Python object with value and prox, or None: the keyword's
  std::optional<Doubles> x0;
  const FittedModel* start = nullptr;  // or where to begin
  nb::object callback;                 // or None
  bool record = false;
};

// A run that is over, with all that is needed to tell of it, save it or make it again.
struct Finished {
  std::optional<FitProblem> fit;  // of data and a loss
  std::optional<AnyFiniteSum> f;  // or of a sum of the caller's
  AnyRegularizer h = Zero{};
  nb::object kept;  // what these borrow
  std::optional<Vector> x0;
  bool recorded = false;
  bool ctrl_c = false;  // it was ended by
  std::vector<Event> events;
  RunRecord record;
  std::optional<FittedModel> model;
};

// What a call is about, before its run: `settings` are those of the call.
std::unique_ptr<Finished> prepared_fit(const Data& data, const nb::object& kept, const Call& call,
                                       Settings& settings);
std::unique_ptr<Finished> prepared_sum(const nb::object& sum, const Call& call, Settings& settings);

// Fills in what follows from run.record.result.
void complete(const Settings& settings, Finished& run);

}  // namespace asynprox::python
