#include "cli/out_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/models/model_file.h"
#include "asynprox/models/write_file.h"

#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

OutFolder::OutFolder(const TrainArguments& arguments)
    : path_(arguments.out), with_events_(arguments.out && !arguments.no_events) {
  if (!path_ || !fs::exists(*path_)) return;
  require(fs::is_directory(*path_),
          fmt::format("--out: expected a folder, got the file {}", *path_));
  require(arguments.force || fs::is_empty(*path_),
          fmt::format("--out: {} is not empty; --force writes there all the same", *path_));
}

void OutFolder::prepare() {
  if (!path_) return;
  const fs::path folder = *path_;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(fmt::format("--out: {}: {}", *path_, error.message()));
  const fs::path probe = folder / fmt::format("asynprox-{}.tmp", getpid());
  write_whole_file(probe.string(), "");
  fs::remove(probe, error);
  for (const char* name : {"run.json", "trace.csv", "model.json", "events.log"})
    if (fs::is_directory(folder / name))
      throw Error(fmt::format("--out: {} is a folder", (folder / name).string()));
  if (with_events_)
    events_ = std::make_unique<EventFileWriter>((folder / "events.log").string(), this_build());
}

EventSink OutFolder::event_sink() {
  if (!with_events_) return nullptr;
  return [this](std::span<const Event> events) {
    if (!events_) return;
    try {
      events_->add(events);
    } catch (const Error& error) {
      events_error_ = error.what();
      events_.reset();  // what was written makes room for the model
    }
  };
}

void OutFolder::save(const RunRecord& record, const FittedModel& model) {
  if (!path_) return;
  const fs::path folder = *path_;
  write_model(model, (folder / "model.json").string());
  write_whole_file((folder / "trace.csv").string(), trace_csv(record.result.trace));
  // Events of the run before mean nothing without its run.json, and ours nothing before there is
  // one.
  std::error_code ignored;
  fs::remove(folder / "events.log", ignored);
  write_whole_file((folder / "run.json").string(), run_json(record));
  try {
    if (events_) events_->close();
  } catch (const Error& error) {
    events_error_ = error.what();
  }
  events_.reset();
  if (!events_error_.empty())
    throw Error(events_error_ + "; the rest is saved, but the run cannot be replayed");
}

std::string OutFolder::files() const {
  if (!path_) return "";
  return fmt::format("{}/model.json, run.json, trace.csv{}", *path_,
                     with_events_ ? ", events.log" : "");
}

}  // namespace asynprox::cli
