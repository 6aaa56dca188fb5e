#include "cli/load.h"

#include <fmt/format.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/base/new_file.h"
#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/readers/input_stream.h"
#include "asynprox/data/readers/ratings.h"
#include "asynprox/data/readers/read_numbers.h"
#include "asynprox/data/sha256.h"
#include "asynprox/data/weights.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/model_file.h"

#include "cli/named_data.h"
#include "cli/terminal.h"

namespace asynprox::cli {

namespace {

CsvHeader header_of(const std::string& text) {
  if (text == "auto") return CsvHeader::automatic;
  return text == "yes" ? CsvHeader::yes : CsvHeader::no;
}

// Neither generated nor in the binary form, which know by themselves whether they are ratings.
bool is_text(const std::string& path) {
  return !path.starts_with("generate:") && !is_binary_file(path);
}

}  // namespace

ReadOptions read_options(const DataSpec& arguments) {
  return {.dimension = arguments.dimension,
          .zero_based = arguments.zero_based,
          .labels_path = arguments.labels,
          .label_column = arguments.label_column,
          .header = header_of(arguments.header)};
}

namespace {

// Labels that are not looked at may be anything.
ReadOptions read_options_for(const FittedModel& model, const DataSpec& arguments,
                             bool labels_wanted) {
  ReadOptions options = read_options(arguments);
  options.label_column_usual = model.label_column;
  options.label_column_name = model.label_column_name;
  options.feature_names = model.feature_names;
  options.labels_optional =
      !labels_wanted || make_loss(parse_spec(model.loss)).labels() == Labels::none;
  options.text_labels = labels_wanted && !model.label_names.empty();
  return options;
}

Dataset load(const DataSpec& arguments, const ReadOptions& options) {
  const std::string path = data_path(arguments.path);
  if (arguments.ratings && is_text(path)) {
    const bool others = arguments.dimension || arguments.zero_based || arguments.labels ||
                        arguments.label_column || arguments.header != "auto";
    require(!others,
            "--ratings: lines are user, item, rating; options of other forms do not apply");
    return read_ratings(path);
  }
  Dataset data = read_dataset(path, options);
  if (arguments.ratings && !data.ratings) throw DataError(path + ": expected ratings, got none");
  return data;
}

}  // namespace

Dataset load(const DataSpec& arguments) { return load(arguments, read_options(arguments)); }

Dataset load_for(const FittedModel& model, const DataSpec& arguments, bool rating_optional) {
  const std::string path = data_path(arguments.path);
  if (!model.ratings)
    return load(arguments, read_options_for(model, arguments, /*labels_wanted=*/!rating_optional));
  if (is_text(path)) {
    if (model.feature_names.empty())
      throw DataError(path + ": the model does not know what its users and items are called");
    return read_ratings(path, {.feature_names = model.feature_names,
                               .shape = *model.ratings,
                               .rating_optional = rating_optional});
  }
  Dataset data = read_dataset(path, read_options(arguments));
  if (data.ratings != model.ratings)
    throw DataError(fmt::format("{}: expected the model's {} users and {} items", path,
                                model.ratings->num_users, model.ratings->num_items));
  return data;
}

void for_each_block_for(const FittedModel& model, const DataSpec& arguments, bool rating_optional,
                        const VisitBlock& visit) {
  if (model.ratings) return visit(load_for(model, arguments, rating_optional));
  for_each_block(data_path(arguments.path),
                 read_options_for(model, arguments, /*labels_wanted=*/!rating_optional), visit);
}

void check_output_file(const std::string& path, bool force) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status)) {
    require(fs::is_regular_file(status), path + ": expected the name of a file to write, got a " +
                                             (fs::is_directory(status) ? "folder" : "device"));
    require(force, path + ": exists already; --force replaces it");
  }
  const NewFile probe(target_of(path));
}

void warn_about_columns(const std::string& path, const ColumnNotes& notes,
                        std::size_t unnamed_ignored) {
  const std::string name = path == "-" ? "standard input" : path;
  if (const std::size_t count = notes.ignored.size(); count > 0)
    say_warning(fmt::format("{}: {} column{} not in the model and {} ignored: {}", name, count,
                            count == 1 ? " is" : "s are", count == 1 ? "is" : "are",
                            names_shown(notes.ignored)));
  if (notes.unnamed)
    say_warning(
        fmt::format("{}: the model's features have names and these columns have none: they "
                    "are taken in the model's order",
                    name));
  if (unnamed_ignored > 0)
    say_warning(fmt::format("{}: {} columns were never seen in training and are ignored", name,
                            unnamed_ignored));
}

bool is_model_file(const std::string& path) {
  constexpr std::size_t kLookedAt = 256;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe is read only once
  InputStream stream(path);
  const std::string_view start = stream.peek(kLookedAt);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && start[first] == '{';
}

ReadNumbers SpecFiles::reader() {
  return [this](const std::string& path) {
    std::vector<double> numbers = read_numbers(path);
    hashes_.emplace_back(path, fingerprint(numbers));
    return numbers;
  };
}

FittedModel SpecFiles::model(const std::string& path) {
  FittedModel model = read_model(path);
  hashes_.emplace_back(path, sha256_of_unpacked(path));
  return model;
}

void SpecFiles::weigh(Dataset& data, const std::string& path) {
  Vector weights = read_weights(path);
  hashes_.emplace_back(path, fingerprint(weights));
  set_weights(data, std::move(weights), path);
}

}  // namespace asynprox::cli
