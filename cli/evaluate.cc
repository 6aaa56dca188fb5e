// asynprox evaluate: how well a model does on data.
#include <fmt/format.h>

#include "asynprox/models/metrics.h"
#include "asynprox/models/model_file.h"
#include "asynprox/report/json_text.h"

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
    if (arguments.json)
      text += fmt::format("{}{}: {}", text.empty() ? "{" : ", ", json_string(name),
                          value ? json_number(*value) : "null");
    else
      text += fmt::format("{:<20} {}\n", name, value ? fmt::format("{}", *value) : "none");
  }
  if (metrics.columns_ignored > 0)
    say_warning(columns_ignored_text(arguments.data.path, metrics.columns_ignored));
  print(arguments.json ? text + "}\n" : text);
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
