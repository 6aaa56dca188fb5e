// --out: the folder where a run is left.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "asynprox/models/fitted_model.h"
#include "asynprox/report/event_file.h"
#include "asynprox/report/run_record.h"
#include "asynprox/runtimes/recorder.h"

#include "cli/arguments.h"

namespace asynprox::cli {

// Without --out it does nothing.
class OutFolder {
 public:
  // Looks whether the folder is ours to write to, and changes nothing.
  explicit OutFolder(const TrainArguments& arguments);

  // Makes the folder, and finds out before the work whether it can be written to.
  void prepare();

  // Where the events of the run go; nowhere, if none are wanted. What cannot be written is not
  // worth a run: it goes on, and save() tells.
  EventSink event_sink();

  // The model first: what cannot be written must not cost what can. Throws Error once everything
  // that can be saved is.
  void save(const RunRecord& record, const FittedModel& model);

  // "run.json, trace.csv, ..."
  std::string files() const;

 private:
  std::optional<std::string> path_;
  bool with_events_;
  std::unique_ptr<EventFileWriter> events_;
  std::string events_error_;
};

}  // namespace asynprox::cli
