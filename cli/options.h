// The options that commands share. Knows CLI11, which takes long to compile.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "cli/arguments.h"

namespace asynprox::cli {

// A number, all of the text. Throws ContractError, naming the option.
void parse(const std::string& text, const std::string& option, double& value);
void parse(const std::string& text, const std::string& option, int& value);
void parse(const std::string& text, const std::string& option, std::int64_t& value);
void parse(const std::string& text, const std::string& option, std::uint64_t& value);

// An option that is a number: `target` is a number or an optional one.
template <class Target>
CLI::Option& add_number(CLI::App& app, const std::string& name, Target& target,
                        const std::string& about) {
  const auto set = [name, &target](const std::string& text) {
    if constexpr (std::is_arithmetic_v<Target>)
      parse(text, name, target);
    else
      parse(text, name, target.emplace());
  };
  return *app.add_option_function<std::string>(name, set, about)->type_name("NUMBER");
}

// An option that is a word.
template <class Target>
CLI::Option& add_word(CLI::App& app, const std::string& name, Target& target,
                      const std::string& about, const std::string& type_name = "NAME") {
  return *app.add_option(name, target, about)->type_name(type_name);
}

void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& about);

// DATA and how to read it.
void add_data(CLI::App& app, DataSpec& data);

void add_simd(CLI::App& app, std::optional<std::string>& simd);

// A file to write.
void add_out(CLI::App& app, std::string& out, bool& force);

// What is fitted, how, and for how long; what is left of it.
void add_model_options(CLI::App& app, TrainArguments& train);
void add_method_options(CLI::App& app, TrainArguments& train);
void add_run_options(CLI::App& app, TrainArguments& train);

// Who runs the workers: really, or on a virtual cluster.
void add_speeds(CLI::App& app, std::optional<std::string>& speeds);
void add_runtime_options(CLI::App& app, TrainArguments& train);
void add_cluster_options(CLI::App& app, ClusterArguments& cluster);

// Every option takes the last of several values, so that the command line wins over --config.
void let_last_win(CLI::App& app);

}  // namespace asynprox::cli
