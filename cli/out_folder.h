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
#include "cli/folder_lock.h"

namespace asynprox::cli {

// Without --out it does nothing.
class OutFolder {
 public:
  // Looks whether the folder is ours to write to, locks it if it exists, and changes nothing.
  explicit OutFolder(const TrainArguments& arguments);

  // Makes the folder, locks it, and finds out before the work whether it can be written to.
  void prepare();

  // Where the events of the run go; nowhere, if none are wanted. What cannot be written is not
  // worth a run: it goes on, and save() tells.
  EventSink event_sink();

  // Everything is written under other names first. Where that succeeds for the model, the files of
  // an older run (--force) are removed, its run.json first, and then ours get their names: at no
  // moment is there a mixture of two runs, and where the model cannot be written the older run is
  // left as it was. What else cannot be written must not cost what can: throws Error once
  // everything that can be saved is.
  void save(const RunRecord& record, const FittedModel& model);

  // "run.json, trace.csv, ..."
  std::string files() const;

 private:
  void require_empty_or_force() const;
  void keep_events();

  std::optional<std::string> path_;
  bool force_;
  FolderLock lock_;
  bool with_events_;
  std::unique_ptr<EventFileWriter> events_;
  std::string events_error_;
};

}  // namespace asynprox::cli
