#include "keywords.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <ranges>

#include "asynprox/base/errors.h"
#include "asynprox/base/one_of.h"
#include "asynprox/base/spec.h"
#include "asynprox/base/suggest.h"
#include "asynprox/linalg/simd.h"

namespace asynprox::python {
namespace {

struct Keyword {
  std::string name;
  std::string meaning;
  std::function<void(Settings&, const std::string& text, const ReadNumbers& read)> set;
};

template <class Whole>
Whole whole_number(const std::string& text, const std::string& name, double least) {
  const double value = parse_number(text, name);
  if (value != std::floor(value) || value < least || value > kWholeMax)
    throw ContractError(
        fmt::format("{}: expected a whole number of at least {}, got {}", name, least, text));
  return static_cast<Whole>(value);
}

std::optional<bool> on_or_off(const std::string& text, const std::string& name) {
  require_one_of(name, text, {"auto", "on", "off"});
  if (text == "auto") return std::nullopt;
  return text == "on";
}

Start start_of(const std::string& text) {
  return chosen("start", text,
                std::array{Start::automatic, Start::zeros, Start::uniform, Start::random});
}

void add_problem_keywords(std::vector<Keyword>& all) {
  const auto add = [&](std::string name, std::string meaning, auto field) {
    all.push_back({std::move(name), std::move(meaning),
                   [field](Settings& s, const std::string& text, const ReadNumbers&) {
                     s.problem.*field = text;
                   }});
  };
  const auto add_flag = [&](const std::string& name, std::string meaning,
                            bool ProblemSpec::* field) {
    all.push_back({name, std::move(meaning),
                   [name, field](Settings& s, const std::string& text, const ReadNumbers&) {
                     s.problem.*field = on_or_off(text, name).value_or(false);
                   }});
  };
  add("loss", "a loss, by default chosen from the labels", &ProblemSpec::loss);
  add("regularizer", "h", &ProblemSpec::regularizer);
  add("model", "what the coefficients say of a sample", &ProblemSpec::model);
  add("positive_label", "the label that is +1", &ProblemSpec::positive_label);
  add("normalize", "'none', or 'rows': each sample scaled to length 1", &ProblemSpec::normalize);
  add("standardize", "'none', or 'columns': each divided by its standard deviation",
      &ProblemSpec::standardize);
  add_flag("center", "subtract the mean of every column", &ProblemSpec::center);
  add_flag("intercept", "fit a constant too, which h does not see", &ProblemSpec::intercept);
  add("class_weight", "'none', or 'balanced': every class counts the same",
      &ProblemSpec::class_weight);
}

void add_method_keywords(std::vector<Keyword>& all) {
  all.push_back({"method", "how to minimise", [](Settings& s, const std::string& text, auto&) {
                   s.method = text;
                   if (text != "auto") s.options.method = make_method(parse_spec(text));
                 }});
  all.push_back({"step", "step sizes", [](Settings& s, const std::string& text, auto&) {
                   s.step = text;
                   s.options.step = make_step_size(parse_spec(text));
                 }});
  all.push_back({"sampling", "which samples a push is made of",
                 [](Settings& s, const std::string& text, auto&) {
                   s.sampling = text;
                   if (text != "auto") s.options.sampling = make_sampling(parse_spec(text));
                 }});
  all.push_back({"newton", "'on' or 'off': Newton's method at evaluations",
                 [](Settings& s, const std::string& text, auto&) {
                   s.options.newton = on_or_off(text, "newton");
                 }});
  all.push_back({"fallback", "'on' or 'off': go on by other means where steps make no progress",
                 [](Settings& s, const std::string& text, auto&) {
                   s.options.fallback = on_or_off(text, "fallback");
                 }});
  all.push_back({"model_state", "'automatic', 'dense' or 'lazy'",
                 [](Settings& s, const std::string& text, auto&) {
                   s.options.state = chosen("model_state", text, kStateChoices);
                 }});
  all.push_back(
      {"start", "first model: 'zeros', 'uniform' or 'random'",
       [](Settings& s, const std::string& text, auto&) { s.options.start = start_of(text); }});
  all.push_back({"staleness_policy", "'hold' those ahead, or 'recompute' what is late",
                 [](Settings& s, const std::string& text, auto&) {
                   s.options.staleness_policy =
                       chosen("staleness_policy", text, kStalenessPolicies);
                 }});
}

void add_number_keywords(std::vector<Keyword>& all) {
  const auto add_whole = [&](std::string name, std::string meaning, double least, auto set) {
    all.push_back(
        {name, std::move(meaning), [name, least, set](Settings& s, const std::string& text, auto&) {
           set(s.options, whole_number<std::int64_t>(text, name, least));
         }});
  };
  const auto add_number = [&](std::string name, std::string meaning, auto set) {
    all.push_back(
        {name, std::move(meaning), [name, set](Settings& s, const std::string& text, auto&) {
           set(s.options, parse_number(text, name));
         }});
  };
  using Whole = std::int64_t;
  add_whole("workers", "workers, one per core by default", 1,
            [](Options& o, Whole value) { o.workers = static_cast<int>(value); });
  add_whole("batch_size", "samples in a step, over all pushes", 1,
            [](Options& o, Whole value) { o.batch_size = value; });
  add_whole("pushes_per_step", "m of the paper, by default the workers", 1,
            [](Options& o, Whole value) { o.pushes_per_step = static_cast<int>(value); });
  add_whole("staleness_max", "enforced bound on staleness, in steps", 0,
            [](Options& o, Whole value) { o.staleness_max = value; });
  add_whole("steps", "stop after this many steps", 0,
            [](Options& o, Whole value) { o.stop.steps = value; });
  add_number("epochs", "stop after this many passes over the data",
             [](Options& o, double value) { o.stop.epochs = value; });
  add_number("seconds", "stop after this long, evaluations not counted",
             [](Options& o, double value) { o.stop.seconds = value; });
  add_number("tolerance", "stop when the duality gap is at most this much of the objective",
             [](Options& o, double value) { o.stop.tolerance = value; });
  add_whole("trace_every", "evaluate every so many steps", 1,
            [](Options& o, Whole value) { o.trace_every = value; });
  add_number("reference_step", "step of the gradient mapping, by default 1/L",
             [](Options& o, double value) { o.reference_step = value; });
  add_whole("seed", "of everything random", 0,
            [](Options& o, Whole value) { o.seed = static_cast<std::uint64_t>(value); });
  add_number("pace", "samples per second that a worker does at most",
             [](Options& o, double value) { o.pace = value; });
}

void add_runtime_keywords(std::vector<Keyword>& all) {
  all.push_back({"runtime", "'threads', or 'serial': the workers take turns",
                 [](Settings& s, const std::string& text, auto&) {
                   s.options.runtime =
                       chosen("runtime", text, std::array{Runtime::threads, Runtime::serial});
                 }});
  all.push_back({"delays", "how old each gradient is, instead of as it comes; implies serial",
                 [](Settings& s, const std::string& text, const ReadNumbers& read) {
                   s.delays = text;
                   s.options.delays = make_delay(parse_spec(text), read);
                 }});
  all.push_back({"pin", "'none', or 'cores': worker j stays on core j",
                 [](Settings& s, const std::string& text, auto&) {
                   require_one_of("pin", text, {"none", "cores"});
                   s.options.pin = text == "cores";
                 }});
  all.push_back({"speeds", "of paced workers, relative: '1/1/0.25'",
                 [](Settings& s, const std::string& text, auto&) {
                   s.options.speeds = parse_numbers(text, "speeds");
                 }});
  all.push_back({"simd", "vector instructions to use at most, for the whole process",
                 [](Settings& s, const std::string& text, auto&) { s.simd = text; }});
}

const std::vector<Keyword>& all_keywords() {
  static const std::vector<Keyword> all = [] {
    std::vector<Keyword> made;
    add_problem_keywords(made);
    add_method_keywords(made);
    add_number_keywords(made);
    add_runtime_keywords(made);
    return made;
  }();
  return all;
}

template <class Value>
SettingValue or_unused(const std::optional<Value>& value) {
  if (!value) return {};
  return *value;
}

SettingValue or_unused(const std::string& text) {
  return text.empty() ? SettingValue() : SettingValue(text);
}

}  // namespace

std::vector<KeywordDescription> describe_keywords() {
  std::vector<KeywordDescription> described;
  for (const Keyword& keyword : all_keywords())
    described.push_back({keyword.name, keyword.meaning});
  return described;
}

Settings settings_of(const KeywordTexts& keywords, const ReadNumbers& read) {
  Settings settings;
  const auto names = std::views::keys(keywords);
  if (std::ranges::find(names, "delays") != names.end()) settings.options.runtime = Runtime::serial;
  for (const auto& [name, text] : keywords) {
    const auto place = std::ranges::find(all_keywords(), name, &Keyword::name);
    require(place != all_keywords().end(), fmt::format("no keyword '{}'", name));
    place->set(settings, text, read);
  }
  return settings;
}

SettingList used_settings(const Settings& settings, const ProblemSpec& problem,
                          const Result& result) {
  const Plan& used = result.plan;
  const ExecutionPlan& execution = used.execution;
  const auto chosen_or = [](const std::string& given, const std::string& found) {
    return given == "auto" ? found : given;
  };
  return {
      {"loss", or_unused(problem.loss)},
      {"model", problem.model},
      {"regularizer", problem.regularizer},
      {"method", chosen_or(settings.method, used.method.method.spec())},
      {"step", settings.step},
      {"workers", std::int64_t{used.workers.workers}},
      {"batch-size", used.batch.size},
      {"pushes-per-step", std::int64_t{used.workers.pushes_per_step}},
      {"staleness-max", used.workers.staleness_max},
      {"staleness-policy", std::string(name(used.workers.staleness_policy))},
      {"delays", or_unused(settings.delays)},
      {"sampling", chosen_or(settings.sampling, used.batch.sampling.spec())},
      {"epochs", or_unused(used.stop.epochs)},
      {"steps", or_unused(used.stop.steps)},
      {"seconds", or_unused(used.stop.seconds)},
      {"tolerance", or_unused(used.stop.tolerance)},
      {"trace-every", or_unused(settings.options.trace_every)},
      {"runtime", std::string(name(execution.runtime))},
      {"pin", std::string(execution.pin ? "cores" : "none")},
      {"pace", or_unused(execution.pace)},
      {"speeds", or_unused(fmt::format("{}", fmt::join(execution.speeds, "/")))},
      {"simd", std::string(simd_level())},
      {"model-state", std::string(name(used.state))},
      {"newton", std::string(used.refinements.newton ? "on" : "off")},
      {"fallback", std::string(used.refinements.fallback ? "on" : "off")},
      {"normalize", problem.normalize},
      {"standardize", problem.standardize},
      {"center", problem.center},
      {"intercept", problem.intercept},
      {"class-weight", problem.class_weight},
      {"positive-label", or_unused(problem.positive_label)},
      {"start", std::string(name(used.start))},
      {"reference-step", used.steps.reference_step},
      {"seed", used.seed},
  };
}

}  // namespace asynprox::python
