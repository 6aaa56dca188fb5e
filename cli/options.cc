#include "cli/options.h"

#include <fmt/format.h>

namespace asynprox::cli {

void add_option(CLI::App& app, const OptionDescription& about,
                const std::function<void(const std::string& text)>& set) {
  const std::string name = "--" + about.name, values = about.values();
  const std::string words =
      values.empty() ? about.meaning : fmt::format("{} [{}]", about.meaning, values);
  if (about.type == "flag") {
    app.add_flag_callback(
           name, [set] { set("true"); }, words)
        ->disable_flag_override()
        ->group(about.group);
  } else {
    app.add_option_function<std::string>(name, set, words)
        ->type_name(about.placeholder)
        ->group(about.group);
  }
}

void add_data(CLI::App& app, std::string_view command, DataSpec& data, GivenTexts* given) {
  app.add_option("DATA", data.path,
                 "LIBSVM text, CSV or IDX, plain or .gz .bz2 .xz .zst; our binary form; '-' is "
                 "standard input; generate:SPEC; or a name of 'asynprox data fetch --list'")
      ->required()
      ->type_name("");
  add_options(app, command, data, given);
}

void let_last_win(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) let_last_win(*command);
  for (CLI::Option* option : app.get_options())
    if (!option->get_positional()) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

}  // namespace asynprox::cli
