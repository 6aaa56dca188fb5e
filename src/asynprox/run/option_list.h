// The options of a run as plain data, by name: what the command line, keyword arguments of other
// languages and the documentation are made of. They are declared in options.h and problem_spec.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asynprox/base/option_list.h"
#include "asynprox/run/options.h"
#include "asynprox/run/problem_spec.h"

namespace asynprox {

// Every option of a run: those of a ProblemSpec (its data first), and those of Options.
std::vector<OptionDescription> list_options();
std::vector<OptionDescription> list_problem_options();
std::vector<OptionDescription> list_run_options();

// Set the option `name` ("batch-size" or "batch_size") to what `text` says: "64"; of a flag "true" or
// "false". Throw ContractError for a name that the struct does not have, with the nearest one, and
// for a text that is no value of the option. `read` reads the files that specs name. Options of
// the data of a problem are options of the problem, too.
void set_option(Options& options, std::string_view name, std::string_view text,
                const ReadNumbers& read = nullptr);
void set_option(ProblemSpec& problem, std::string_view name, std::string_view text,
                const ReadNumbers& read = nullptr);

// Throws ContractError for a word that is none of the choices declared: a spec can be made without
// set_option().
void check_choices(const ProblemSpec& problem);

// The options that make the plan again with nothing left open.
Options as_used(Options options, const Plan& plan);

// What users wrote for options, by name.
using GivenTexts = std::map<std::string, std::string, std::less<>>;

// The options of Owner that are recorded, for a run in real time or a simulated one. Specs and lists
// are repeated as they were written, if they were.
template <class Owner>
void add_settings(const Owner& owner, Runtime runtime, const GivenTexts& given,
                  SettingList& settings) {
  for (const DeclaredOption<Owner>& option : declared_options<Owner>()) {
    const OptionDescription& about = option.about;
    const bool used = about.taken_by("train") || runtime == Runtime::simulated;
    if (!about.recorded || !used) continue;
    settings.emplace_back(about.name, option.setting(owner));
    const auto written = given.find(about.name);
    const bool as_written = about.type == "spec" || about.type == "list";
    if (as_written && written != given.end() && written->second != "auto")
      settings.back().second = written->second;
  }
}

// Every option of a run as it was used: `problem` as it was resolved.
SettingList settings_of(const ProblemSpec& problem, const Options& options, const Plan& plan,
                        const GivenTexts& given);

}  // namespace asynprox
