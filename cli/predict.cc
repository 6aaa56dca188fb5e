// asynprox predict: one prediction a line, as the data is read.
#include <fmt/format.h>

#include <optional>
#include <set>

#include "asynprox/data/printable.h"
#include "asynprox/data/readers/read_blocks.h"
#include "asynprox/models/features.h"
#include "asynprox/models/model_file.h"
#include "asynprox/models/predictions.h"
#include "asynprox/models/scores.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// C numbers per sample, separated by tabs.
std::string lines_of(std::span<const double> numbers, std::size_t outputs) {
  fmt::memory_buffer text;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    fmt::format_to(std::back_inserter(text), "{}{}", numbers[k],
                   (k + 1) % outputs == 0 ? '\n' : '\t');
  return fmt::to_string(text);
}

std::string label_lines(const FittedModel& model, std::span<const double> u) {
  const Vector labels = predicted_labels(model, u);
  if (model.label_names.empty() && !model.labels) return lines_of(labels, 1);
  // A file or another program gets the label as it is, a person nothing that moves the cursor.
  const bool exact = !output_is_terminal();
  std::string text;
  for (const double label : labels) {
    const std::string prediction = prediction_text(model, label);
    text += (exact ? prediction : printable(prediction)) + '\n';
  }
  return text;
}

std::string predictions(const FittedModel& model, const Vector& u, const std::string& output) {
  if (output == "score") return lines_of(u, model.outputs);
  if (output == "probability") return lines_of(probabilities(model, u), model.outputs);
  return label_lines(model, u);
}

// Whoever read the predictions has closed the pipe: the rest of the data need not be read.
struct ReaderGone {};

}  // namespace

int run(const PredictArguments& arguments) {
  const FittedModel model = read_model(arguments.model);
  if (arguments.output == "probability") probabilities(model, {});  // refused before data is read
  const Scorer scorer(model);
  FeatureMatcher features(model);
  std::size_t samples = 0;
  std::set<Key> ignored;
  const auto say = [&](const Dataset& samples_read) {
    const std::optional<Dataset> moved = features.moved(samples_read);
    const Dataset& block = moved ? *moved : samples_read;
    const Scores scores = scorer.scores(block, samples);
    samples += block.num_samples();
    ignored.insert(scores.ignored.begin(), scores.ignored.end());
    print(predictions(model, scores.u, arguments.output));
    if (!output_wanted()) throw ReaderGone();
  };
  try {
    for_each_block_for(model, arguments.data, /*rating_optional=*/true, say);
  } catch (const ReaderGone&) {
    return kDone;
  }
  warn_about_columns(arguments.data.path, features.notes(), ignored.size());
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
