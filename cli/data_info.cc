// asynprox data info: what a data set looks like.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "asynprox/base/suggest.h"
#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/info.h"
#include "asynprox/data/printable.h"
#include "asynprox/report/json_text.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

std::string labels_text(const DataInfo& info) {
  const LabelSummary& labels = info.labels;
  if (labels.more_than_limit)
    return fmt::format("many, from {} to {}",
                       printable(label_text(info.label_names, labels.smallest)),
                       printable(label_text(info.label_names, labels.largest)));
  std::string text;
  for (const LabelCount& each : labels.distinct)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ",
                        printable(label_text(info.label_names, each.label)), each.count);
  return text;
}

// "a, b, c, ... and 7 more"
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(names.size(), kShown);
  std::string text = printable(joined(std::span(names).first(shown)));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string plain(const DataInfo& info) {
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("{:<20} {}\n", name, value);
  };
  const auto spread = [](const MinMeanMax& s) {
    return fmt::format("{:.6g} to {:.6g}, mean {:.6g}", s.min, s.max, s.mean);
  };
  std::string text = line("samples", fmt::format("{}", info.samples));
  text +=
      line("features", fmt::format("{} ({} never seen)", info.dimension, info.columns_never_seen));
  text += line("nonzeros", fmt::format("{} ({:.4g} %)", info.nonzeros, 100 * info.density));
  text += line("nonzeros in a row", spread(info.row_length));
  text += line("length of a row", spread(info.row_norm));
  text += line("empty rows", fmt::format("{}", info.empty_rows));
  text += line("labels", labels_text(info));
  text += line("stored as", fmt::format("{}, {} bytes", info.form, info.bytes));
  if (!info.feature_names.empty()) text += line("feature names", names_text(info.feature_names));
  if (info.ratings)
    text += line("ratings", fmt::format("{} users, {} items", info.ratings->num_users,
                                        info.ratings->num_items));
  if (info.picture)
    text += line("pictures", fmt::format("{} x {}", info.picture->height, info.picture->width));
  return text;
}

std::string json(const MinMeanMax& s) {
  return fmt::format(R"({{"min": {}, "mean": {}, "max": {}}})", json_number(s.min),
                     json_number(s.mean), json_number(s.max));
}

// The label as it stands in the file: a number, or text.
std::string json_label(const DataInfo& info, double label) {
  return info.label_names.empty() ? json_number(label)
                                  : json_string(label_text(info.label_names, label));
}

std::string json_labels(const DataInfo& info) {
  const LabelSummary& labels = info.labels;
  std::string counts;
  for (const LabelCount& each : labels.distinct)
    counts += fmt::format(R"({}{{"label": {}, "count": {}}})", counts.empty() ? "" : ", ",
                          json_label(info, each.label), each.count);
  return fmt::format(R"({{"min": {}, "max": {}, "distinct": {}}})",
                     json_label(info, labels.smallest), json_label(info, labels.largest),
                     labels.more_than_limit ? "null" : "[" + counts + "]");
}

std::string json_names(const std::vector<std::string>& names) {
  if (names.empty()) return "null";
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + json_string(name);
  return "[" + text + "]";
}

std::string json(const DataInfo& info) {
  const std::string picture =
      info.picture ? fmt::format("[{}, {}]", info.picture->height, info.picture->width) : "null";
  const std::string ratings = info.ratings
                                  ? fmt::format(R"({{"users": {}, "items": {}}})",
                                                info.ratings->num_users, info.ratings->num_items)
                                  : "null";
  return fmt::format(R"({{"samples": {}, "dimension": {}, "nonzeros": {}, "density": {}, )"
                     R"("row_length": {}, "row_norm": {}, "empty_rows": {}, )"
                     R"("columns_never_seen": {}, "labels": {}, "form": {}, "bytes": {}, )"
                     R"("feature_names": {}, "ratings": {}, "picture": {}}})"
                     "\n",
                     info.samples, info.dimension, info.nonzeros, json_number(info.density),
                     json(info.row_length), json(info.row_norm), info.empty_rows,
                     info.columns_never_seen, json_labels(info), json_string(info.form), info.bytes,
                     json_names(info.feature_names), ratings, picture);
}

}  // namespace

int run(const DataInfoArguments& arguments) {
  // What is not in the binary form is checked by reading it.
  const std::string& path = arguments.data.path;
  const bool checksums = arguments.verify && is_binary_file(path);
  if (checksums) verify_binary_file(path);
  const DataInfo info = data_info(load(arguments.data));
  print(arguments.json ? json(info) : plain(info));
  if (arguments.verify && !arguments.json)
    print(fmt::format("{:<20} {}\n", "verified",
                      checksums ? "yes" : "by reading it: it has no checksums"));
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
