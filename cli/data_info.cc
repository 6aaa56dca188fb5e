// asynprox data info: what a data set looks like.
#include <fmt/format.h>

#include "asynprox/data/info.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

std::string labels_text(const LabelSummary& labels) {
  if (labels.more_than_limit)
    return fmt::format("many, from {} to {}", labels.smallest, labels.largest);
  std::string text;
  for (const LabelCount& each : labels.distinct)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", each.label, each.count);
  return text;
}

std::string plain(const DataInfo& info) {
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("{:<20} {}\n", name, value);
  };
  const auto spread = [](const Spread& s) {
    return fmt::format("{:.6g} to {:.6g}, mean {:.6g}", s.min, s.max, s.mean);
  };
  std::string text = line("samples", fmt::format("{}", info.samples));
  text +=
      line("features", fmt::format("{} ({} never seen)", info.dimension, info.columns_never_seen));
  text += line("nonzeros", fmt::format("{} ({:.4g} %)", info.nonzeros, 100 * info.density));
  text += line("nonzeros in a row", spread(info.row_length));
  text += line("length of a row", spread(info.row_norm));
  text += line("empty rows", fmt::format("{}", info.empty_rows));
  text += line("labels", labels_text(info.labels));
  text += line("stored as", fmt::format("{}, {} bytes", info.form, info.bytes));
  if (info.picture)
    text += line("pictures", fmt::format("{} x {}", info.picture->height, info.picture->width));
  return text;
}

std::string json(const DataInfo& info) {
  const auto spread = [](std::string_view name, const Spread& s) {
    return fmt::format(R"("{}": {{"min": {}, "mean": {}, "max": {}}})", name, s.min, s.mean, s.max);
  };
  std::string labels;
  for (const LabelCount& each : info.labels.distinct)
    labels += fmt::format(R"({}{{"label": {}, "count": {}}})", labels.empty() ? "" : ", ",
                          each.label, each.count);
  return fmt::format(
      R"({{"samples": {}, "dimension": {}, "nonzeros": {}, "density": {}, {}, {}, )"
      R"("empty_rows": {}, "columns_never_seen": {}, "labels": [{}], "form": "{}", "bytes": {}}})"
      "\n",
      info.samples, info.dimension, info.nonzeros, info.density,
      spread("row_length", info.row_length), spread("row_norm", info.row_norm), info.empty_rows,
      info.columns_never_seen, labels, info.form, info.bytes);
}

}  // namespace

int run(const DataInfoArguments& arguments) {
  const DataInfo info = data_info(load(arguments.data));
  print(arguments.json ? json(info) : plain(info));
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
