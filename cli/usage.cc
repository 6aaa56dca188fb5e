#include "cli/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"
#include "asynprox/base/suggest.h"

#include "cli/config_text.h"

namespace asynprox::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The innermost command that was named.
const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

// "; see 'asynprox data info --help'"
std::string see_help(const CLI::App& command) {
  std::string path;
  for (const CLI::App* app = &command; app; app = app->get_parent())
    path.insert(0, app->get_name() + " ");
  return fmt::format("; see '{}--help'", path);
}

std::vector<CLI::ConfigItem> read_config(const std::string& path) {
  std::istringstream text(config_text(path));
  try {
    CLI::ConfigTOML reader;
    reader.comment('\0');  // they are gone; a # that is left stands in quotes
    return reader.from_config(text);
  } catch (const CLI::Error& error) {
    throw DataError(fmt::format("{}: {}", path, error.what()));
  }
}

// One option of a file as an argument of the command line, or none: a flag that is false.
std::optional<std::string> argument_of(const CLI::ConfigItem& item, const CLI::App& command) {
  std::string name = "--" + item.name;
  const CLI::Option* option = command.get_option_no_throw(name);
  if (item.fullname() != item.name && item.fullname() != command.get_name() + "." + item.name)
    throw ContractError(fmt::format("no section for '{}'; options stand at the top, or in [{}]",
                                    shortened(item.fullname()), command.get_name()));
  if (name == "--config")
    throw ContractError(
        "config: a file of options cannot name another one; --config belongs on the "
        "command line, once");
  if (!option || name == "--help")
    throw ContractError(fmt::format("no option '{}'{}", shortened(item.name),
                                    did_you_mean(name, option_names(command))));
  if (item.inputs.size() != 1)
    throw ContractError(
        fmt::format("{}: expected one value, got {}", item.name, item.inputs.size()));
  const std::string& value = item.inputs.front();
  if (option->get_expected_max() > 0) return name + "=" + value;
  if (value == "true") return name;
  if (value == "false") return std::nullopt;
  throw ContractError(
      fmt::format("{}: expected true or false, got '{}'", item.name, shortened(value)));
}

// The options of a TOML file as arguments of the command line.
std::vector<std::string> arguments_of_config(const std::string& path, const CLI::App& command) {
  std::vector<std::string> arguments;
  for (const CLI::ConfigItem& item : read_config(path)) {
    // Section marks of the parser itself.
    if (item.name == "++" || item.name == "--") continue;
    try {
      if (const auto argument = argument_of(item, command)) arguments.push_back(*argument);
    } catch (const ContractError& error) {
      throw ContractError(path + ": " + error.what());
    }
  }
  return arguments;
}

std::optional<std::string> config_path(const std::vector<std::string>& arguments) {
  std::optional<std::string> path;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool joined_value = arguments[i].starts_with("--config=");
    if (!joined_value && (arguments[i] != "--config" || i + 1 == arguments.size())) continue;
    require(!path, "--config: given twice");
    path = joined_value ? arguments[i].substr(9) : arguments[i + 1];
  }
  return path;
}

}  // namespace

std::vector<std::string> TypedWords::reversed() const {
  std::vector<std::string> all = typed;
  if (!config.empty()) all.insert(all.begin() + 1, config.begin(), config.end());
  std::ranges::reverse(all);
  return all;
}

bool TypedWords::blames_config(std::string_view complaint) const {
  const std::string option(complaint.substr(0, complaint.find(':')));
  const auto sets_it = [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  };
  return std::ranges::any_of(config, sets_it) && std::ranges::none_of(typed, sets_it);
}

TypedWords words_of(std::vector<std::string> typed, const CLI::App& app) {
  TypedWords words{std::move(typed), "", {}};
  if (words.typed.empty()) return words;
  const auto commands = app.get_subcommands({});
  const auto named = std::ranges::find(commands, words.typed.front(), &CLI::App::get_name);
  if (named == commands.end() || !(*named)->get_option_no_throw("--config")) return words;
  const auto path = config_path(words.typed);
  if (!path) return words;
  words.config_path = *path;
  words.config = arguments_of_config(*path, **named);
  return words;
}

void require_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto names = command_names(app), options = option_names(app);
  if (names.empty()) return;
  if (arguments.empty())
    throw ContractError(fmt::format("expected a command: {}{}", joined(names), see_help(app)));
  const std::string& word = arguments.front();
  if (word == "-h" || std::ranges::find(options, word) != options.end()) return;
  if (word.starts_with('-'))
    throw ContractError(fmt::format("no option '{}'{}{}", shortened(word),
                                    did_you_mean(word, options), see_help(app)));
  if (std::ranges::find(names, word) == names.end())
    throw ContractError(fmt::format("no command '{}'{}; there are: {}", shortened(word),
                                    did_you_mean(word, names), joined(names)));
  require_command(*app.get_subcommand(word), {arguments.begin() + 1, arguments.end()});
}

void fail_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const std::string complaint = error.what();
  const std::size_t override_at = complaint.find(" was given a disallowed flag override");
  if (override_at != std::string::npos)
    throw ContractError(
        fmt::format("--{}: takes no value{}", complaint.substr(0, override_at), see_help(command)));
  std::vector<std::string> extras = command.remaining();
  if (extras.empty() || !dynamic_cast<const CLI::ExtrasError*>(&error))
    throw ContractError(complaint + see_help(command));
  // An unknown option is the cause, the value behind it only a consequence.
  const auto option =
      std::ranges::find_if(extras, [](const std::string& extra) { return extra.starts_with('-'); });
  if (option == extras.end())
    throw ContractError(
        fmt::format("did not expect '{}'{}", shortened(extras.front()), see_help(command)));
  const std::string word = option->substr(0, option->find('='));
  throw ContractError(fmt::format("no option '{}'{}{}", shortened(word),
                                  did_you_mean(word, option_names(command)), see_help(command)));
}

}  // namespace asynprox::cli
