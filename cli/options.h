// Declared options as options of the command line. Knows CLI11, which takes long to compile.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <string_view>

#include "cli/arguments.h"

namespace asynprox::cli {

// One option; `set` is called with its text, "true" for a flag that is given.
void add_option(CLI::App& app, const OptionDescription& about,
                const std::function<void(const std::string& text)>& set);

// The options of `owner` that `command` takes, with their groups and defaults in its help.
template <class Owner>
void add_options(CLI::App& app, std::string_view command, Owner& owner, GivenTexts* given = nullptr,
                 const ReadNumbers& read = nullptr) {
  for (const DeclaredOption<Owner>& option : declared_options<Owner>()) {
    if (!option.about.taken_by(command)) continue;
    add_option(app, option.about, [=, &owner](const std::string& text) {
      option.set(owner, text, "--" + option.about.name, read);
      if (given) (*given)[option.about.name] = text;
    });
  }
}

// DATA and how to read it.
void add_data(CLI::App& app, std::string_view command, DataSpec& data, GivenTexts* given = nullptr);

// Every option takes the last of several values, so that the command line wins over --config.
void let_last_win(CLI::App& app);

}  // namespace asynprox::cli
