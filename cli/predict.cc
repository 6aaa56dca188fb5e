// asynprox predict: one prediction a line.
#include <fmt/format.h>

#include "asynprox/models/model_file.h"
#include "asynprox/models/predictions.h"
#include "asynprox/models/scores.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

Vector predictions(const FittedModel& model, const Vector& u, const std::string& output) {
  if (output == "score") return u;
  if (output == "probability") return probabilities(model, u);
  return predicted_labels(model, u);
}

}  // namespace

int run(const PredictArguments& arguments) {
  require_one_of("--output", arguments.output, {"label", "score", "probability"});
  const FittedModel model = read_model(arguments.model);
  const Scores result = scores(model, load(arguments.data));
  if (!result.ignored.empty())
    say_warning(columns_ignored_text(arguments.data.path, result.ignored.size()));
  fmt::memory_buffer text;
  for (const double prediction : predictions(model, result.u, arguments.output))
    fmt::format_to(std::back_inserter(text), "{}\n", prediction);
  print({text.data(), text.size()});
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
