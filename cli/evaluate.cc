// asynprox evaluate: how well a model does on data, which is read once and not kept.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "asynprox/base/errors.h"
#include "asynprox/data/printable.h"
#include "asynprox/data/readers/read_blocks.h"
#include "asynprox/data/weights.h"
#include "asynprox/models/evaluation.h"
#include "asynprox/models/model_file.h"
#include "asynprox/report/json_text.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// A larger table is for programs.
constexpr std::size_t kLabelsShown = 20;

std::string json_text(const Metrics& metrics) {
  std::vector<std::string> fields;
  for (const auto& [name, value] : figures(metrics))
    fields.push_back(
        fmt::format("{}: {}", json_string(name), value ? json_number(*value) : "null"));
  if (metrics.classes && !metrics.classes->confusion.rows.empty()) {
    std::vector<std::string> labels, rows;
    for (const std::string& label : metrics.classes->confusion.labels)
      labels.push_back(json_string(label));
    for (const Vector& row : metrics.classes->confusion.rows) {
      std::vector<std::string> cells;
      for (const double count : row) cells.push_back(json_number(count));
      rows.push_back(fmt::format("[{}]", fmt::join(cells, ", ")));
    }
    fields.push_back(fmt::format(R"("confusion": {{"labels": [{}], "rows": [{}]}})",
                                 fmt::join(labels, ", "), fmt::join(rows, ", ")));
  }
  return fmt::format("{{{}}}\n", fmt::join(fields, ", "));
}

// A row a label, a column a prediction, as wide as they need.
std::string table_text(const ConfusionTable& table) {
  std::vector<std::vector<std::string>> cells = {{""}};
  for (const std::string& label : table.labels) cells[0].push_back(printable(label));
  for (std::size_t c = 0; c < table.rows.size(); ++c) {
    cells.push_back({cells[0][c + 1]});
    for (const double count : table.rows[c]) cells.back().push_back(fmt::format("{:.10g}", count));
  }
  std::vector<std::size_t> widths(cells.size(), 0);
  for (const auto& row : cells)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  std::string text = "confusion: a row a label, a column a prediction\n";
  for (const auto& row : cells) {
    for (std::size_t k = 0; k < row.size(); ++k) text += fmt::format("  {:>{}}", row[k], widths[k]);
    text += '\n';
  }
  return text;
}

std::string text_of(const Metrics& metrics) {
  std::string text;
  for (const auto& [name, value] : figures(metrics))
    text += fmt::format("{:<20} {}\n", name, value ? fmt::format("{}", *value) : "none");
  if (!metrics.classes || metrics.classes->confusion.rows.empty()) return text;
  const ConfusionTable& table = metrics.classes->confusion;
  if (table.labels.size() <= kLabelsShown) return text + table_text(table);
  return text + fmt::format("confusion: {} labels, see --json\n", table.labels.size());
}

// Those of a file, for data that comes block by block.
class FileWeights {
 public:
  explicit FileWeights(const std::string& path) : path_(path), weights_(read_weights(path)) {
    check_weights(weights_, path);
  }

  // Of the next samples. Beyond the last they are 0, and check() complains.
  std::span<const double> next(std::size_t samples) {
    const std::size_t first = samples_;
    samples_ += samples;
    if (samples_ <= weights_.size()) return std::span(weights_).subspan(first, samples);
    beyond_.assign(samples, 0);
    return beyond_;
  }

  void check(const std::string& data) const {
    if (samples_ != weights_.size())
      throw DataError(fmt::format("{}: expected {} weights, one for each sample of {}, got {}",
                                  path_, samples_, data, weights_.size()));
  }

 private:
  std::string path_;
  Vector weights_, beyond_;
  std::size_t samples_ = 0;
};

}  // namespace

int run(const EvaluateArguments& arguments) {
  require(arguments.data.path != "-" || arguments.weights != "-",
          "--weights: standard input can be read only once");
  const FittedModel model = read_model(arguments.model);
  std::optional<FileWeights> weights;
  if (arguments.weights) weights.emplace(*arguments.weights);
  Evaluator evaluation(model);
  for_each_block_for(model, arguments.data, /*rating_optional=*/false, [&](const Dataset& block) {
    evaluation.add(block, weights ? weights->next(block.num_samples()) : block.weights);
  });
  if (weights) weights->check(arguments.data.path);
  const Metrics metrics = evaluation.metrics();
  warn_about_columns(arguments.data.path, metrics.columns, metrics.columns_ignored);
  print(arguments.json ? json_text(metrics) : text_of(metrics));
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
