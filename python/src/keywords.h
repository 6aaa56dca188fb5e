// Keyword arguments of Python: the long options of the command line, with underscores. Their values
// cross as text, in the spelling of the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/report/run_record.h"
#include "asynprox/run/options.h"
#include "asynprox/run/problem_spec.h"

namespace asynprox::python {

// What keywords can set.
struct Settings {
  Options options;
  ProblemSpec problem;
  // As they were given: where a plan does not tell them.
  std::string method = "auto", step = "auto", sampling = "auto";
  std::string delays;
  std::string simd;
};

using KeywordTexts = std::vector<std::pair<std::string, std::string>>;

struct KeywordDescription {
  std::string name;  // with underscores
  std::string meaning;
};

// Every keyword that is an option of a run, in the order in which they are documented.
std::vector<KeywordDescription> describe_keywords();

// Sets the keywords in order. Throws ContractError, naming the keyword, for a value that it does
// not take or a name that there is none of. `read`: the files that delays name.
Settings settings_of(const KeywordTexts& keywords, const ReadNumbers& read);

// Every option as it was used, by its long name.
SettingList used_settings(const Settings& settings, const ProblemSpec& problem,
                          const Result& result);

}  // namespace asynprox::python
