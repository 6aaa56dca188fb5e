// --out: the folder where a run is left.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/base/new_file.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/report/event_file.h"
#include "asynprox/report/run_record.h"
#include "asynprox/runtimes/recorder.h"

#include "cli/arguments.h"
#include "cli/claimed_folder.h"

namespace asynprox::cli {

// Without --out it does nothing.
class OutFolder {
 public:
  // Looks whether the folder is ours to write to, locks it if it exists, and changes nothing.
  explicit OutFolder(const ProgramOptions& program);

  // Makes the folder, locks it, and finds out before the work whether it can be written to. The checkpoints
  // of an older run are removed.
  void prepare();

  // The same for a run that goes on there from a checkpoint, where so many events were recorded. Events
  // that are not all there are no longer recorded: a warning says why.
  void prepare_to_go_on(std::uint64_t events);

  // Where the events of the run go; nowhere, if none are wanted. What cannot be written is not
  // worth a run: it goes on, and save() tells.
  EventSink event_sink();

  // Everything is written under other names first. Where all of it is on the disk, the files of an
  // older run (--force) are removed, its run.json first, and then ours get their names: at no
  // moment is there a mixture of two runs. Where something cannot be written, an older run is left
  // as it was, and what could be written is kept beside it as NAME.new; without an older run it
  // gets its name, for what cannot be written must not cost what can. Throws Error, which says all
  // that, once everything that can be saved is.
  void save(const RunRecord& record, const FittedModel& model);

  // The events that the sink got so far are on the disk, and stay there for a checkpoint that counts on
  // them. Throws Error, where that fails.
  void keep_events();
  // Whether the run is recorded; no longer, once an event could not be written.
  bool records() const;

  const std::string& path() const { return folder_->path(); }  // if --out was given

  // "run.json, trace.csv, ..."
  std::string files() const;

 private:
  struct WrittenFile {
    const char* name = "";
    std::unique_ptr<NewFile> file;
  };

  void open_folder();
  void finish_events();
  [[noreturn]] void keep_beside_older_run(const std::vector<WrittenFile>& files,
                                          const std::string& failure) const;

  std::optional<ClaimedFolder> folder_;
  bool with_events_;
  mutable std::mutex events_mutex_;  // of the two that follow, while the run is under way
  std::unique_ptr<EventFileWriter> events_;
  std::string events_error_;
};

}  // namespace asynprox::cli
