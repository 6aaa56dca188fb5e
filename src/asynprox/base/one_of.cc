#include "asynprox/base/one_of.h"

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"
#include "asynprox/base/suggest.h"

namespace asynprox {

void require_one_of(std::string_view option, const std::string& text,
                    const std::vector<std::string>& names) {
  if (std::ranges::find(names, text) != names.end()) return;
  throw ContractError(std::string(option) + ": no '" + shortened(text) + "'" +
                      did_you_mean(text, names) + "; there are: " + joined(names));
}

}  // namespace asynprox
