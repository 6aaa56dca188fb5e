#include "cli/out_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>

#include "asynprox/base/errors.h"
#include "asynprox/checkpoints/checkpoint_folder.h"
#include "asynprox/models/model_file.h"

#include "cli/bus_errors.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

// A record is one only with its run.json: that one goes first.
constexpr std::array<const char*, 4> kFiles = {"run.json", "events.log", "trace.csv", "model.json"};

bool is_ours(std::string_view name) {
  return std::ranges::find(kFiles, name) != kFiles.end() ||
         std::ranges::find(kCheckpointFiles, name) != kCheckpointFiles.end();
}

bool holds_a_file_of_a_run(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::any_of(kFiles, [&](const char* name) {
    return fs::exists(fs::symlink_status(folder / name, ignored));
  });
}

}  // namespace

OutFolder::OutFolder(const ProgramOptions& program)
    : with_events_(program.out && !program.no_events) {
  if (program.out) folder_.emplace(*program.out, program.force);
}

void OutFolder::prepare() {
  if (!folder_) return;
  open_folder();
  const fs::path folder = folder_->path();
  remove_checkpoints(folder.string());
  std::error_code ignored;
  fs::remove(folder / "events.log.partial", ignored);
  if (!with_events_) return;
  events_ = std::make_unique<EventFileWriter>((folder / "events.log").string(), this_build());
  remove_on_bus_error(events_->partial_path());
}

void OutFolder::prepare_to_go_on(std::uint64_t events) {
  open_folder();
  if (!with_events_) return;
  const std::string path = (fs::path(folder_->path()) / "events.log").string();
  try {
    events_ = std::make_unique<EventFileWriter>(path, this_build(), events);
  } catch (const Error& error) {
    say_warning(fmt::format("{}: the run goes on, and cannot be replayed", error.what()));
    with_events_ = false;
  }
}

void OutFolder::open_folder() {
  folder_->claim();
  folder_->remove_leftovers(is_ours);
  const fs::path folder = folder_->path();
  const NewFile probe((folder / "run.json").string());
  std::error_code ignored;
  for (const char* name : kFiles)
    if (fs::is_directory(folder / name, ignored))
      throw Error(fmt::format("--out: {} is a folder", (folder / name).string()));
}

EventSink OutFolder::event_sink() {
  if (!with_events_) return nullptr;
  return [this](std::span<const Event> events) {
    const std::lock_guard lock(events_mutex_);
    if (!events_) return;
    try {
      events_->add(events);
    } catch (const Error& error) {
      events_error_ = error.what();
      events_.reset();  // what was written makes room for the model
    }
  };
}

void OutFolder::keep_events() {
  const std::lock_guard lock(events_mutex_);
  if (!events_) return;
  forget_on_bus_error();
  events_->sync();
  events_->stay();
}

bool OutFolder::records() const {
  const std::lock_guard lock(events_mutex_);
  return events_ != nullptr;
}

void OutFolder::save(const RunRecord& record, const FittedModel& model) {
  if (!folder_) return;
  const fs::path folder = folder_->path();
  std::vector<WrittenFile> files;
  const auto write = [&](const char* name, std::string_view text) {
    auto file = std::make_unique<NewFile>((folder / name).string());
    file->write_at(0, std::as_bytes(std::span(text)));
    file->finish();
    files.push_back({name, std::move(file)});
  };
  write("model.json", model_json(model));
  std::string failure;
  try {
    write("trace.csv", trace_csv(record.result.trace));
    write("run.json", run_json(record));
  } catch (const Error& error) {
    failure = error.what();
  }
  forget_on_bus_error();  // the data is not read any more
  finish_events();
  const bool complete = failure.empty() && events_error_.empty();
  if (!complete && holds_a_file_of_a_run(folder))
    keep_beside_older_run(files, failure.empty() ? events_error_ : failure);
  std::error_code ignored;
  for (const char* name : kFiles) fs::remove(folder / name, ignored);
  for (const WrittenFile& written : files) written.file->keep();
  // Events mean nothing without run.json.
  if (!failure.empty()) throw Error(failure);
  if (events_) events_->close();
  if (!events_error_.empty())
    throw Error(events_error_ + "; the rest is saved, but the run cannot be replayed");
}

void OutFolder::finish_events() {
  try {
    if (events_) events_->finish();
  } catch (const Error& error) {
    events_error_ = error.what();
    events_.reset();
  }
}

void OutFolder::keep_beside_older_run(const std::vector<WrittenFile>& files,
                                      const std::string& failure) const {
  std::string names;
  for (const WrittenFile& written : files) {
    const std::string path = (fs::path(folder_->path()) / written.name).string() + ".new";
    written.file->keep_as(path);
    names += (names.empty() ? "" : ", ") + path;
  }
  throw Error(fmt::format("{}; the older run in {} stays as it was, and of the new one there is {}",
                          failure, folder_->path(), names));
}

std::string OutFolder::files() const {
  if (!folder_) return "";
  return fmt::format("{}/model.json, run.json, trace.csv{}", folder_->path(),
                     with_events_ ? ", events.log" : "");
}

}  // namespace asynprox::cli
