#include "keywords.h"

#include <algorithm>
#include <array>

#include "asynprox/base/errors.h"
#include "asynprox/base/one_of.h"
#include "asynprox/linalg/simd.h"

namespace asynprox::python {
namespace {

constexpr std::string_view kSimd = "simd";

std::string with_underscores(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

// Data, labels and weights are given as arrays, and samples are held out by the caller.
bool is_keyword(const OptionDescription& option) {
  return option.taken_by("train") && option.group != "Data" && option.name != "weights" &&
         option.name != "holdout";
}

bool is_option_of_problem(std::string_view name) {
  return std::ranges::any_of(list_problem_options(), [&](const OptionDescription& option) {
    return with_underscores(option.name) == name;
  });
}

Start start_of(const std::string& text) {
  return chosen("start", text,
                std::array{Start::automatic, Start::zeros, Start::uniform, Start::random});
}

}  // namespace

std::vector<KeywordDescription> describe_keywords() {
  std::vector<KeywordDescription> described;
  for (const OptionDescription& option : list_options())
    if (is_keyword(option))
      described.push_back({with_underscores(option.name), option.type, option.meaning});
  described.push_back(
      {std::string(kSimd), "text", "vector instructions to use at most, for the whole process"});
  return described;
}

Settings settings_of(const KeywordTexts& keywords, const ReadNumbers& read) {
  Settings settings;
  for (const auto& [name, text] : keywords) {
    if (name == kSimd)
      settings.simd = text;
    else if (is_option_of_problem(name))
      set_option(settings.problem, name, text, read);
    else
      set_option(settings.options, name, text, read);
    std::string dashed = name;
    std::ranges::replace(dashed, '_', '-');
    settings.given[dashed] = text;
  }
  if (settings.problem.start) settings.options.start = start_of(*settings.problem.start);
  return settings;
}

SettingList used_settings(const Settings& settings, const ProblemSpec& problem,
                          const Result& result) {
  SettingList used = asynprox::settings_of(problem, settings.options, result.plan, settings.given);
  used.emplace_back(kSimd, std::string(simd_level()));
  return used;
}

}  // namespace asynprox::python
