#include "runs.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "asynprox/data/fingerprint.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/models/model_file.h"
#include "asynprox/report/event_file.h"
#include "asynprox/version.h"

#include "callables.h"
#include "watched.h"

namespace asynprox::python {
namespace {

void run_watched(const Call& call, Options& options, Finished& run,
                 const std::function<Result()>& solve) {
  Watched watched(call.callback);
  options.interrupt = &watched.interrupt();
  if (watched.has_callback())
    options.on_evaluation = [&](const Evaluation& now) { watched.tell(now); };
  run.recorded = call.record;
  if (call.record)
    options.on_events = [&](std::span<const Event> events) {
      run.events.insert(run.events.end(), events.begin(), events.end());
    };
  watched.run([&] { run.record.result = solve(); });
  run.ctrl_c = watched.ctrl_c();
}

std::unique_ptr<Finished> fit(const Data& data, const nb::object& kept, const Call& call) {
  Settings settings;
  auto run = prepared_fit(data, kept, call, settings);
  run_watched(call, settings.options, *run, [&] { return solve(*run->fit, settings.options); });
  complete(settings, *run);
  return run;
}

std::unique_ptr<Finished> minimize_sum(const nb::object& sum, const Call& call) {
  Settings settings;
  auto run = prepared_sum(sum, call, settings);
  run_watched(call, settings.options, *run,
              [&] { return solve(*run->f, run->h, settings.options); });
  complete(settings, *run);
  return run;
}

EventSource source_of(const std::vector<Event>& events) {
  return [&events, place = std::size_t{0}]() mutable -> std::optional<Event> {
    if (place == events.size()) return std::nullopt;
    return events[place++];
  };
}

// The first difference from the recorded run, or None; and how many steps were compared.
nb::tuple replay_run(const Finished& run) {
  Watched watched{nb::none()};
  Replayed replayed;
  const Plan& plan = run.record.result.plan;
  watched.run([&] {
    if (run.fit)
      replayed = replay(*run.fit, plan, source_of(run.events));
    else
      replayed = replay(*run.f, run.h, plan, source_of(run.events), {.x0 = run.x0});
  });
  return nb::make_tuple(replayed.comparison.difference, replayed.result.steps,
                        array_of(replayed.result.x));
}

// run.json, with the fingerprint of the data, which is read for it.
std::string record_json(Finished& run) {
  if (run.fit && run.record.data_fingerprint.empty())
    run.record.data_fingerprint = fingerprint(run.fit->data);
  return run_json(run.record);
}

void save_events(const Finished& run, const std::string& path) {
  EventFileWriter file(path, this_build());
  file.add(run.events);
  file.close();
}

// Nine numbers per evaluation, in the order of trace.csv; nan for a gap that is not known.
nb::object trace_of(const Finished& run) {
  Vector numbers;
  for (const Evaluation& at : run.record.result.trace) {
    const double row[] = {at.seconds,
                          static_cast<double>(at.steps),
                          static_cast<double>(at.sample_gradients),
                          at.epochs,
                          at.objective,
                          at.gradient_mapping,
                          static_cast<double>(at.nonzeros),
                          static_cast<double>(at.staleness_max),
                          at.duality_gap.value_or(std::numeric_limits<double>::quiet_NaN())};
    numbers.insert(numbers.end(), std::begin(row), std::end(row));
  }
  return array_of(std::move(numbers));
}

void add_progress(nb::module_& module) {
  nb::class_<Evaluation>(module, "Progress", "How far a run has come, at an evaluation.")
      .def_ro("seconds", &Evaluation::seconds, "of the run, without the evaluations")
      .def_ro("steps", &Evaluation::steps)
      .def_ro("sample_gradients", &Evaluation::sample_gradients)
      .def_ro("epochs", &Evaluation::epochs)
      .def_ro("objective", &Evaluation::objective)
      .def_ro("loss_value", &Evaluation::loss_value)
      .def_ro("regularizer_value", &Evaluation::regularizer_value)
      .def_ro("gradient_mapping", &Evaluation::gradient_mapping)
      .def_ro("nonzeros", &Evaluation::nonzeros)
      .def_ro("staleness_max", &Evaluation::staleness_max)
      .def_ro("duality_gap", &Evaluation::duality_gap, "or None");
}

}  // namespace

std::unique_ptr<Finished> prepared_fit(const Data& data, const nb::object& kept, const Call& call,
                                       Settings& settings) {
  auto run = std::make_unique<Finished>();
  run->kept = kept;
  const ReadNumbers read = reader_of(call.files);
  settings = settings_of(call.keywords, read);
  if (!settings.simd.empty()) set_simd_level(settings.simd);
  FitInputs inputs = {.read = read, .seed = settings.options.seed};
  if (!call.regularizer.is_none())
    inputs.regularizer = regularizer_of(call.regularizer, call.files);
  {
    const nb::gil_scoped_release released;
    run->fit = make_fit_problem(settings.problem, data.dataset, inputs);
  }
  run->fit->start = settings.options.start;
  if (call.x0) run->fit->x0 = vector_of(*call.x0);
  if (call.start) begin_with_model(*call.start, *run->fit);
  return run;
}

std::unique_ptr<Finished> prepared_sum(const nb::object& sum, const Call& call,
                                       Settings& settings) {
  auto run = std::make_unique<Finished>();
  settings = settings_of(call.keywords, reader_of(call.files));
  if (!settings.simd.empty()) set_simd_level(settings.simd);
  run->f = sum_of(sum);
  run->h = call.regularizer.is_none()
               ? regularizer_of(nb::str(settings.problem.regularizer.c_str()), call.files)
               : regularizer_of(call.regularizer, call.files);
  if (call.x0) run->x0 = vector_of(*call.x0);
  settings.options.x0 = run->x0;
  return run;
}

void complete(const Settings& settings, Finished& run) {
  run.record.problem = run.fit ? run.fit->spec : settings.problem;
  if (!run.fit) run.record.problem.regularizer = run.h.spec();
  run.record.settings = used_settings(settings, run.record.problem, run.record.result);
  run.record.version = kVersion;
  run.record.machine = this_machine();
  if (!run.fit) return;
  std::vector<std::string>& warnings = run.record.result.warnings;
  warnings.insert(warnings.begin(), run.fit->warnings.begin(), run.fit->warnings.end());
  run.model = fitted_model(*run.fit, run.record.result.x, run.record.result.intercept);
}

void add_runs(nb::module_& module) {
  add_progress(module);
  nb::class_<Call>(module, "Call")
      .def(
          "__init__",
          [](Call* call, KeywordTexts keywords, nb::dict files, nb::object regularizer,
             std::optional<Doubles> x0, const FittedModel* start, nb::object callback,
             bool record) {
            new (call) Call{std::move(keywords),
                            std::move(files),
                            std::move(regularizer),
                            std::move(x0),
                            start,
                            std::move(callback),
                            record};
          },
          nb::arg("keywords"), nb::arg("files"), nb::arg("regularizer").none(),
          nb::arg("x0").none(), nb::arg("start").none(), nb::arg("callback").none(),
          nb::arg("record"));
  nb::class_<Finished>(module, "Finished")
      .def_prop_ro("x", [](const Finished& run) { return array_of(run.record.result.x); })
      .def_prop_ro("intercept",
                   [](const Finished& run) { return array_of(run.record.result.intercept); })
      .def_prop_ro("trace", &trace_of)
      .def_prop_ro("model", [](const Finished& run) { return run.model; })
      .def_ro("recorded", &Finished::recorded)
      .def_ro("ctrl_c", &Finished::ctrl_c)
      .def("result_json", [](const Finished& run) { return result_json(run.record); })
      .def("run_json", &record_json)
      .def("trace_csv", [](const Finished& run) { return trace_csv(run.record.result.trace); })
      .def("summary", [](const Finished& run) { return summary(run.record); })
      .def("save_events", &save_events, nb::arg("path"))
      .def("replay", &replay_run);
  module.def(
      "fit",
      [](nb::object data, const Call& call) {
        return fit(nb::cast<const Data&>(data), data, call);
      },
      nb::arg("data"), nb::arg("call"));
  module.def("interrupt_runs", &Watched::interrupt_all);
  module.def("minimize_sum", &minimize_sum, nb::arg("sum"), nb::arg("call"));
}

}  // namespace asynprox::python
