// asynprox list: what can be chosen. The tables of docs/catalogue.md are this, with --markdown.
#include <fmt/format.h>

#include <algorithm>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/delays/all.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/kinds.h"
#include "asynprox/refinements/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/regularizers/share.h"
#include "asynprox/run/option_list.h"
#include "asynprox/sampling/all.h"
#include "asynprox/simulator/compute_times/all.h"
#include "asynprox/step_sizes/all.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// Beside the families; its table is docs/options.md.
constexpr std::string_view kOptionsList = "options";

struct FamilyDescription {
  std::string name;
  std::string about;
  std::vector<MemberDescription> members;
};

std::vector<MemberDescription> describe_methods() {
  std::vector<MemberDescription> methods = describe(AllMethods{});
  methods.insert(
      methods.begin(),
      {"auto",
       "the best that applies, helped by Newton's method where it can; what was chosen is printed",
       {}});
  return methods;
}

// With the strengths marked that may be a share of the largest useful one.
std::vector<MemberDescription> describe_regularizers() {
  std::vector<MemberDescription> members = describe(AllRegularizers{});
  for (MemberDescription& member : members)
    for (ParameterDescription& parameter : member.parameters)
      if (parameter.name == share_parameter(member.name))
        parameter.bounds += ", or a share such as 0.1max";
  return members;
}

std::vector<FamilyDescription> all_families() {
  return {
      {"losses", "phi(u, y) of u = z'x; --loss NAME or NAME:KEY=VALUE,...", describe(AllLosses{})},
      {"models", "u of a sample; --model NAME or NAME:KEY=VALUE,...", describe(AllModels{})},
      {"regularizers",
       "h(x); --regularizer NAME or NAME:KEY=VALUE,...; a strength may be a share of the largest "
       "useful one: l1:0.1max is 0.1 times the least lambda at which all coefficients are zero",
       describe_regularizers()},
      {"step-sizes", "eta_k; --step NAME or NAME:KEY=VALUE,...", describe(AllStepSizes{})},
      {"delays", "tau(k, i), given; --delays NAME or NAME:KEY=VALUE,...", describe(AllDelays{})},
      {"methods", "v, what a step goes along; --method NAME or NAME:KEY=VALUE,...",
       describe_methods()},
      {"refinements",
       "what looks for a better model at evaluations; a run names those that found one beside its "
       "method",
       describe_refinements()},
      {"samplings", "which samples per push is of; --sampling NAME or NAME:KEY=VALUE,...",
       describe(AllSamplings{})},
      {"compute-times", "of a push; simulate --compute NAME or NAME:KEY=VALUE,...",
       describe(AllComputeTimes{})},
      {"faults", "simulate --faults NAME:KEY=VALUE,...", describe(AllFaults{})},
      {"generators", "made data; DATA is generate:NAME:KEY=VALUE,...", describe(AllGenerators{})},
  };
}

std::string words(const ParameterDescription& parameter) {
  const std::string value =
      parameter.default_value.empty() ? "must be given" : "default " + parameter.default_value;
  return fmt::format("{}: {} ({}; {})", parameter.name, parameter.meaning, parameter.bounds, value);
}

std::string plain(const FamilyDescription& family) {
  std::string text = fmt::format("{}: {}\n", family.name, family.about);
  for (const MemberDescription& member : family.members) {
    text += fmt::format("  {:<16} {}\n", member.name, member.formula);
    for (const ParameterDescription& parameter : member.parameters)
      text += fmt::format("  {:<16}   {}\n", "", words(parameter));
  }
  return text + "\n";
}

// A cell of a table.
std::string escaped(std::string cell) {
  for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2)
    cell.insert(at, 1, '\\');
  return cell;
}

std::string markdown(const FamilyDescription& family) {
  std::string text = fmt::format("## {}\n\n{}\n\n| name | formula | parameters |\n|---|---|---|\n",
                                 family.name, family.about);
  for (const MemberDescription& member : family.members) {
    std::string parameters;
    for (const ParameterDescription& parameter : member.parameters)
      parameters += (parameters.empty() ? "" : "<br>") + words(parameter);
    text += fmt::format("| `{}` | {} | {} |\n", member.name, escaped(member.formula),
                        escaped(parameters));
  }
  return text + "\n";
}

// Of `train`, `simulate`, `replay` and `resume`, in the order of their help.
std::vector<OptionDescription> all_options() {
  std::vector<OptionDescription> options = list_options();
  for (const auto& option : declared_options<MachineOptions>()) options.push_back(option.about);
  for (const auto& option : declared_options<ProgramOptions>()) options.push_back(option.about);
  for (const auto& option : declared_options<ReplayArguments>()) options.push_back(option.about);
  for (const auto& option : declared_options<ResumeArguments>()) options.push_back(option.about);
  return options;
}

std::string plain(const std::vector<OptionDescription>& options) {
  std::string text =
      "options: of train, simulate, replay and resume; --NAME VALUE, or NAME = VALUE in the "
      "TOML file of --config\n";
  for (const OptionDescription& option : options) {
    const std::string values = option.values();
    text += fmt::format("  {:<18} {}{}\n", option.name, option.meaning,
                        values.empty() ? "" : fmt::format(" [{}]", values));
  }
  return text;
}

std::string markdown(const std::vector<OptionDescription>& options) {
  std::vector<std::string> titles;
  for (const OptionDescription& option : options)
    if (std::ranges::find(titles, option.group) == titles.end()) titles.push_back(option.group);
  std::string text =
      "# Options\n\nOf `train`, `simulate`, `replay` and `resume`; those of the group Data also of "
      "the other "
      "commands that\nread data. On the command line `--NAME VALUE`, in the TOML file of "
      "`--config` "
      "`NAME = VALUE`.\n\nWritten by `make docs` from the declarations in the source.\n";
  for (const std::string& title : titles) {
    text += fmt::format("\n## {}\n\n| option | meaning | values | commands |\n|---|---|---|---|\n",
                        title);
    for (const OptionDescription& option : options)
      if (option.group == title)
        text +=
            fmt::format("| `--{}{}{}` | {} | {} | {} |\n", option.name,
                        option.placeholder.empty() ? "" : " ", escaped(option.placeholder),
                        escaped(option.meaning), escaped(option.values()), joined(option.commands));
  }
  return text;
}

}  // namespace

int run(const ListArguments& arguments) {
  if (arguments.family == kOptionsList) {
    const std::vector<OptionDescription> options = all_options();
    print(arguments.markdown ? markdown(options) : plain(options));
    flush_output();
    return kDone;
  }
  const std::vector<FamilyDescription> families = all_families();
  if (!arguments.family.empty()) {
    std::vector<std::string> names(families.size());
    std::ranges::transform(families, names.begin(), &FamilyDescription::name);
    names.emplace_back(kOptionsList);
    require_one_of("list", arguments.family, names);
  }
  std::string text;
  if (arguments.markdown)
    text = "# What can be chosen\n\nWritten by `make docs` from the lists in the source.\n\n";
  for (const FamilyDescription& family : families)
    if (arguments.family.empty() || arguments.family == family.name)
      text += arguments.markdown ? markdown(family) : plain(family);
  text.pop_back();
  print(text);
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
