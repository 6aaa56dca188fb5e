// asynprox evaluate: how well a model does on data.
#include <fmt/format.h>

#include "asynprox/models/metrics.h"
#include "asynprox/models/model_file.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {

int run(const EvaluateArguments& arguments) {
  const FittedModel model = read_model(arguments.model);
  const Metrics metrics = evaluate(model, load(arguments.data));
  std::string text;
  for (const auto& [name, value] : figures(metrics)) {
    const std::string digits = value ? fmt::format("{}", *value) : arguments.json ? "null" : "none";
    if (arguments.json)
      text += fmt::format("{}\"{}\": {}", text.empty() ? "{" : ", ", name, digits);
    else
      text += fmt::format("{:<20} {}\n", name, digits);
  }
  if (metrics.columns_ignored > 0)
    say_warning(columns_ignored_text(arguments.data.path, metrics.columns_ignored));
  print(arguments.json ? text + "}\n" : text);
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
