// What is fuzzed: for each form of input that comes from outside, a function that reads it. It
// returns for every input, good or bad; an exception that leaves it, like a crash, is a defect of
// the reader. Where it can, a target also checks that what was read is written and read back alike.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace asynprox::fuzz {

using Input = std::span<const std::byte>;

void fuzz_messages(Input input);     // frames of messages between server and workers
void fuzz_run_record(Input input);   // run.json
void fuzz_model(Input input);        // model.json
void fuzz_libsvm(Input input);       // LIBSVM text, plain or compressed
void fuzz_csv(Input input);          // CSV, plain or compressed
void fuzz_idx(Input input);          // IDX pictures and labels
void fuzz_binary_form(Input input);  // .axp
void fuzz_specs(Input input);        // NAME:KEY=VALUE,... of every family
void fuzz_config(Input input);       // a TOML file of options
void fuzz_events(Input input);       // events.log
void fuzz_checkpoints(Input input);  // checkpoint.0, and the run that it keeps

struct Target {
  std::string_view name;  // of its folder in fuzz/corpus
  void (*run)(Input input);
};

inline constexpr std::array kTargets = {Target{"messages", fuzz_messages},
                                        Target{"run_record", fuzz_run_record},
                                        Target{"model", fuzz_model},
                                        Target{"libsvm", fuzz_libsvm},
                                        Target{"csv", fuzz_csv},
                                        Target{"idx", fuzz_idx},
                                        Target{"specs", fuzz_specs},
                                        Target{"binary_form", fuzz_binary_form},
                                        Target{"config", fuzz_config},
                                        Target{"events", fuzz_events},
                                        Target{"checkpoints", fuzz_checkpoints}};

inline std::string_view text_of(Input input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}

}  // namespace asynprox::fuzz
