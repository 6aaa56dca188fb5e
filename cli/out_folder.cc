#include "cli/out_folder.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/new_file.h"
#include "asynprox/models/model_file.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

// A record is one only with its run.json: that one goes first.
constexpr std::array<const char*, 4> kFiles = {"run.json", "events.log", "trace.csv", "model.json"};

}  // namespace

OutFolder::OutFolder(const TrainArguments& arguments)
    : path_(arguments.out),
      force_(arguments.force),
      with_events_(arguments.out && !arguments.no_events) {
  if (!path_ || !fs::exists(*path_)) return;
  require(fs::is_directory(*path_),
          fmt::format("--out: expected a folder, got the file {}", *path_));
  lock_.lock("--out", *path_);
  require_empty_or_force();
}

void OutFolder::require_empty_or_force() const {
  require(force_ || fs::is_empty(*path_),
          fmt::format("--out: {} is not empty; --force writes there all the same", *path_));
}

void OutFolder::prepare() {
  if (!path_) return;
  const fs::path folder = *path_;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(fmt::format("--out: {}: {}", *path_, error.message()));
  // Another run may have made it, and left its files, since we looked.
  lock_.lock("--out", *path_);
  require_empty_or_force();
  const NewFile probe((folder / "run.json").string());
  for (const char* name : kFiles)
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
  std::vector<std::unique_ptr<NewFile>> files;
  const auto write = [&](const char* name, std::string_view text) {
    auto file = std::make_unique<NewFile>((folder / name).string());
    file->write_at(0, std::as_bytes(std::span(text)));
    file->finish();
    files.push_back(std::move(file));
  };
  write("model.json", model_json(model));
  std::string failure;
  try {
    write("trace.csv", trace_csv(record.result.trace));
    write("run.json", run_json(record));
  } catch (const Error& error) {
    failure = error.what();
  }
  std::error_code ignored;
  for (const char* name : kFiles) fs::remove(folder / name, ignored);
  for (const auto& file : files) file->keep();
  // Events mean nothing without run.json.
  if (!failure.empty()) throw Error(failure);
  keep_events();
}

void OutFolder::keep_events() {
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
