// A run as a value: its plan as JSON, and the events that reached the server as a file. With the
// data, replay() makes the same run of them, to the bit.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "asynprox/losses/any_loss.h"
#include "asynprox/regularizers/any_regularizer.h"
#include "asynprox/report/event_file.h"  // IWYU pragma: export
#include "asynprox/run/json.h"           // IWYU pragma: export
#include "asynprox/run/plan.h"           // IWYU pragma: export
#include "asynprox/run/replayed.h"       // IWYU pragma: export

namespace asynprox {

class AnyFiniteSum;  // finite_sum.h
struct Dataset;      // dataset.h

// What a replay needs beside the plan of the run.
struct ReplayOptions {
  std::optional<Vector> x0 = {};  // where the plan says that it was given
  std::function<void(const Evaluation&)> on_evaluation = {};
  // Of a run that went on from checkpoints: its limits up to each of them, where they were others.
  std::vector<StoppingRules> stops_before = {};
};

// Makes a recorded run again, on one thread, from its plan and what Options::on_events got.
// DataError for a plan that makes no sense here (check_plan.h, planning.h).
Replayed replay(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options = {});
Replayed replay(const AnyFiniteSum& f, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options = {});

}  // namespace asynprox
