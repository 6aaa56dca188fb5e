// The words that were typed, and what is wrong with them. Knows CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace asynprox::cli {

// What was typed, and the options of the file that it names, if any.
struct TypedWords {
  std::vector<std::string> typed;  // without the program's name
  std::string config_path;
  std::vector<std::string> config;

  // All of them, as CLI11 wants them: backwards. The file's come after the command, so that those
  // typed come later and win.
  std::vector<std::string> reversed() const;

  // Does a complaint that begins "--option: " mean an option of the file?
  bool blames_config(std::string_view complaint) const;
};

// Reads the file that --config names, for a command that has that option.
TypedWords words_of(std::vector<std::string> typed, const CLI::App& app);

// The first word that could be a command must be one; CLI11 would only say that one is missing.
void require_command(const CLI::App& app, const std::vector<std::string>& arguments);

// Throws ContractError: CLI11's complaint, with a suggestion where one is near.
[[noreturn]] void fail_usage(const CLI::App& app, const CLI::ParseError& error);

}  // namespace asynprox::cli
