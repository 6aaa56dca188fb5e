// Keyword arguments of Python: the options that the library declares (run/option_list.h), with
// underscores. Their values cross as text, in the spelling of the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/report/run_record.h"
#include "asynprox/run/option_list.h"

namespace asynprox::python {

// What keywords can set.
struct Settings {
  Options options;
  ProblemSpec problem;
  std::string simd;  // "": as it is
  GivenTexts given;  // as the caller wrote them
};

using KeywordTexts = std::vector<std::pair<std::string, std::string>>;

struct KeywordDescription {
  std::string name;  // with underscores
  std::string type;  // see OptionDescription
  std::string meaning;
};

// Every keyword that is an option of a run, in the order in which they are documented. Options about
// files are none: data, labels and weights are arrays.
std::vector<KeywordDescription> describe_keywords();

// Sets the keywords in order. Throws ContractError, naming the keyword, for a value that it does
// not take or a name that there is none of. `read`: the files that delays name.
Settings settings_of(const KeywordTexts& keywords, const ReadNumbers& read);

// Every option as it was used, by its long name.
SettingList used_settings(const Settings& settings, const ProblemSpec& problem,
                          const Result& result);

}  // namespace asynprox::python
