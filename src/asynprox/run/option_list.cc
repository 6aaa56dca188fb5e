#include "asynprox/run/option_list.h"

#include <utility>

namespace asynprox {
namespace {

template <class Owner>
void add_descriptions(std::vector<OptionDescription>& all) {
  for (DeclaredOption<Owner>& option : declared_options<Owner>())
    all.push_back(std::move(option.about));
}

// Sets the option of that name, if there is one; else adds the names that there are.
template <class Owner>
bool set_if_declared(Owner& owner, std::string_view name, std::string_view text,
                     const ReadNumbers& read, std::vector<std::string>& names) {
  const std::string wanted = option_detail::dashed(name);
  for (const DeclaredOption<Owner>& option : declared_options<Owner>()) {
    names.push_back(option.about.name);
    if (option.about.name != wanted) continue;
    option.set(owner, text, wanted, read);
    return true;
  }
  return false;
}

template <class Owner>
void check_choices_of(const Owner& owner) {
  for (const DeclaredOption<Owner>& option : declared_options<Owner>())
    if (!option.about.choices.empty())
      option_detail::index_of_word(text_of(option.setting(owner)).value_or(""),
                                   "--" + option.about.name, option.about.choices);
}

}  // namespace

std::vector<OptionDescription> list_problem_options() {
  std::vector<OptionDescription> all;
  add_descriptions<DataSpec>(all);
  add_descriptions<ProblemSpec>(all);
  return all;
}

std::vector<OptionDescription> list_run_options() {
  std::vector<OptionDescription> all;
  add_descriptions<Options>(all);
  return all;
}

std::vector<OptionDescription> list_options() {
  std::vector<OptionDescription> all = list_problem_options();
  for (OptionDescription& option : list_run_options()) all.push_back(std::move(option));
  return all;
}

void set_option(Options& options, std::string_view name, std::string_view text,
                const ReadNumbers& read) {
  std::vector<std::string> names;
  if (!set_if_declared(options, name, text, read, names))
    option_detail::fail_unknown_option(name, names);
}

void set_option(ProblemSpec& problem, std::string_view name, std::string_view text,
                const ReadNumbers& read) {
  std::vector<std::string> names;
  if (!set_if_declared(problem, name, text, read, names) &&
      !set_if_declared(problem.data, name, text, read, names))
    option_detail::fail_unknown_option(name, names);
}

void check_choices(const ProblemSpec& problem) {
  check_choices_of(problem.data);
  check_choices_of(problem);
}

Options as_used(Options options, const Plan& plan) {
  const ExecutionPlan& execution = plan.execution;
  options.method = plan.method.method;
  options.workers = plan.workers.workers;
  options.batch_size = plan.batch.size;
  options.pushes_per_step = plan.workers.pushes_per_step;
  options.staleness_max = plan.workers.staleness_max;
  options.staleness_policy = plan.workers.staleness_policy;
  options.sampling = plan.batch.sampling;
  options.stop = plan.stop;
  options.runtime = execution.runtime;
  options.state = plan.state;
  options.newton = plan.refinements.newton;
  options.fallback = plan.refinements.fallback;
  options.reference_step = plan.steps.reference_step;
  // Measured costs of a calibrated cluster.
  options.cluster.push_seconds = execution.cluster.push_seconds;
  options.cluster.step_seconds = execution.cluster.step_seconds;
  return options;
}

SettingList settings_of(const ProblemSpec& problem, const Options& options, const Plan& plan,
                        const GivenTexts& given) {
  ProblemSpec resolved = problem;
  if (!resolved.start) resolved.start = name(plan.start);
  const Runtime runtime = plan.execution.runtime;
  SettingList settings;
  add_settings(resolved.data, runtime, given, settings);
  add_settings(resolved, runtime, given, settings);
  add_settings(as_used(options, plan), runtime, given, settings);
  return settings;
}

}  // namespace asynprox
