// The checkpoints of a run in the folder of --out.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "asynprox/checkpoints/checkpoint_folder.h"
#include "asynprox/checkpoints/checkpoint_hooks.h"
#include "asynprox/report/kept_run.h"

#include "cli/out_folder.h"

namespace asynprox::cli {

// A checkpoint that cannot be written costs nothing but itself: the run goes on, standard error says why,
// and the last one stays.
class RunCheckpoints {
 public:
  // Borrows the folder. `generation`: of the first.
  RunCheckpoints(OutFolder& folder, std::uint64_t generation)
      : folder_(folder), generation_(generation) {}

  // What goes into each; called before the run.
  void describe(KeptRun run, std::string data_fingerprint);

  CheckpointHooks hooks(const CheckpointRule& every);

  // Where the last one is, and after how many steps: "run/checkpoint.1, after 71 steps". Empty: there is
  // none.
  const std::string& last() const { return last_; }

 private:
  void save(const RunState& state);
  void write(const RunState& state);

  OutFolder& folder_;
  std::uint64_t generation_;
  KeptRun run_;
  Checkpoint checkpoint_;  // the next, but for its state
  std::optional<CheckpointFolder> files_;
  bool failing_ = false;
  std::string last_;
};

}  // namespace asynprox::cli
