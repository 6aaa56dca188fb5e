#include "cli/checkpoints.h"

#include <fmt/format.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/run/json.h"

#include "cli/terminal.h"

namespace asynprox::cli {

void RunCheckpoints::describe(KeptRun run, std::string data_fingerprint) {
  run_ = std::move(run);
  const Build& build = run_.build;
  checkpoint_.plan_hash = hash_of_text(plan_json(run_.plan));
  checkpoint_.version = build.version;
  checkpoint_.build =
      fmt::format("{}; {}; {}; {}", build.compiler, build.flags, build.simd_level, build.libm);
  checkpoint_.data_fingerprint = std::move(data_fingerprint);
  files_.emplace(folder_.path(), generation_);
}

CheckpointHooks RunCheckpoints::hooks(const CheckpointRule& every) {
  const auto impossible = [](const std::string& reason) {
    say_warning("no checkpoints: " + reason);
  };
  return {.every = every,
          .save = [this](const RunState& state) { save(state); },
          .impossible = impossible};
}

void RunCheckpoints::save(const RunState& state) {
  try {
    write(state);
    failing_ = false;
  } catch (const Error& error) {
    if (failing_) return;
    failing_ = true;
    say_warning(fmt::format(
        "no checkpoint after {} steps: {}; the run goes on, {}", state.steps, error.what(),
        last_.empty() ? "and there is none yet" : "and the last one stays: " + last_));
  }
}

// First the events, whose number it names.
void RunCheckpoints::write(const RunState& state) {
  folder_.keep_events();
  run_.recorded = folder_.records();
  checkpoint_.run = kept_run_json(run_);
  checkpoint_.state = state;
  files_->save(checkpoint_);
  const char* const name = kCheckpointFiles[checkpoint_.generation % kCheckpointFiles.size()];
  last_ = fmt::format("{}, after {} steps", (std::filesystem::path(folder_.path()) / name).string(),
                      state.steps);
}

}  // namespace asynprox::cli
