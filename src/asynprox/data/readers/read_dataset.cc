#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/binary/binary_header.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/data/readers/csv.h"
#include "asynprox/data/readers/idx.h"
#include "asynprox/data/readers/libsvm.h"
#include "asynprox/data/readers/ordered_work.h"
#include "asynprox/data/readers/read_blocks.h"
#include "asynprox/data/repack.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

constexpr std::string_view kGenerate = "generate:";

void check_there(const std::string& path) {
  std::error_code ignored;
  if (path == "-" || std::filesystem::exists(path, ignored)) return;
  throw DataError(fmt::format(
      "{}: no such file (a generated data set is written {}SPEC, for example {}sparse-logistic)",
      path, kGenerate, kGenerate));
}

std::string labels_path_of(const std::string& images_path, const ReadOptions& options) {
  if (options.labels_path) return *options.labels_path;
  const std::string beside = idx_labels_path(images_path);
  if (beside.empty())
    throw DataError(
        fmt::format("{}: no labels: expected 'images' or 'idx3' in the name, to look for 'labels' "
                    "or 'idx1' beside; give them with --labels FILE",
                    images_path));
  std::error_code ignored;
  if (!std::filesystem::exists(beside, ignored))
    throw DataError(fmt::format("{}: no labels: there is no file {}; give them with --labels FILE",
                                images_path, beside));
  return beside;
}

CollectedRows read_idx(InputStream& stream, const std::string& path, const ReadOptions& options,
                       std::optional<PictureShape>& picture) {
  IdxImages images = read_idx_images(stream);
  InputStream labels_stream(labels_path_of(path, options));
  CollectedRows& samples = images.samples;
  samples.labels = read_idx_labels(labels_stream);
  picture = images.picture;
  if (samples.labels.size() != samples.rows.num_rows())
    throw DataError(fmt::format("{}: expected {} labels, one for each sample of {}, got {}",
                                labels_stream.name(), samples.rows.num_rows(), path,
                                samples.labels.size()));
  return std::move(samples);
}

void generate_blocks(const GeneratedRows& rows, int threads,
                     const std::function<void(CollectedRows)>& take) {
  constexpr std::uint64_t kRowsPerPiece = 1024;
  OrderedWork<CollectedRows, const std::function<void(CollectedRows)>&> work(threads_for(threads),
                                                                             take);
  for (std::uint64_t first = 0; first < rows.num_rows; first += kRowsPerPiece)
    work.add([&rows, first, last = std::min(first + kRowsPerPiece, rows.num_rows)] {
      LabelledRows wide;
      rows.append(first, last, wide);
      CollectedRows block{.num_columns = rows.num_columns};
      block.add(wide);
      return block;
    });
  work.finish();
}

CollectedRows generate(const GeneratedRows& rows, int threads) {
  CollectedRows samples{.num_columns = rows.num_columns};
  generate_blocks(rows, threads, [&](CollectedRows block) { samples.add(std::move(block)); });
  return samples;
}

// d as it is to be: num_columns, unless the user says more.
std::size_t wanted_dimension(std::size_t num_columns, const std::string& name,
                             const ReadOptions& options) {
  if (!options.dimension) return num_columns;
  if (*options.dimension < num_columns)
    throw DataError(fmt::format("{}: expected at most {} columns (--dimension), got {}", name,
                                *options.dimension, num_columns));
  return *options.dimension;
}

enum class Kind : std::uint8_t { libsvm, csv, pictures, binary, generated };

// Options that would do nothing are a mistake.
void check_options(Kind kind, const std::string& name, const ReadOptions& options) {
  require(kind == Kind::pictures || !options.labels_path,
          name + ": --labels is for IDX pictures; here the labels stand with the samples");
  require(kind == Kind::csv || !options.label_column, name + ": --label-column is for CSV");
  require(kind == Kind::csv || options.header == CsvHeader::automatic,
          name + ": --header is for CSV");
  require(kind != Kind::csv || !options.zero_based, name + ": --zero-based is for LIBSVM text");
}

// Columns that a file knows nothing of have no names.
void set_feature_names(Dataset& data, std::vector<std::string> names) {
  data.feature_names = std::move(names);
  if (!data.feature_names.empty()) data.feature_names.resize(data.dimension());
}

// The same entries under more columns: without a copy, unless their form depends on d.
Rows widened(const Rows& rows, std::size_t dimension) {
  RowArrays arrays = rows.arrays();
  const bool filled_with_d =
      arrays.layout == RowLayout::slots && arrays.num_nonzeros < arrays.num_rows * arrays.slots;
  const bool columns_fit = narrowest_columns(dimension) <= arrays.column_type;
  if (!columns_fit || filled_with_d) return repacked(rows, dimension);
  arrays.num_columns = dimension;
  return Rows::borrowed(arrays, std::make_shared<const Rows>(rows));
}

Dataset open_binary(const std::string& path, const ReadOptions& options,
                    Entries entries = Entries::checked) {
  // Rows that are written anew are read as they are.
  if (options.dimension) entries = Entries::checked;
  Dataset data = open_binary_file(path, entries);
  check_options(Kind::binary, path, options);
  const std::size_t dimension = wanted_dimension(data.dimension(), path, options);
  if (dimension > data.dimension()) {
    data.rows = widened(data.rows, dimension);
    set_feature_names(data, std::move(data.feature_names));
  }
  return data;
}

// One pass over the file: each block is checked just before it is used.
void for_each_block_of_binary(const std::string& path, const ReadOptions& options,
                              const VisitBlock& visit) {
  const Dataset data = open_binary(path, options, Entries::believed);
  std::size_t first = 0;
  for_each_slice(data, [&](const Dataset& block) {
    naming<DataError>(path, [&] { data.rows.check_entries(first, first + block.num_samples()); });
    first += block.num_samples();
    visit(block);
  });
}

Dataset built(Dataset data, CollectedRows samples, const ReadOptions& options) {
  const std::size_t dimension = wanted_dimension(samples.num_columns, data.name, options);
  data.labels = std::move(samples.labels);
  data.rows = std::move(samples.rows).build(dimension);
  return data;
}

Kind kind_of(InputStream& stream) {
  if (is_binary_start(stream.peek(kBinaryMagic.size())))
    throw DataError(stream.name() + ": the binary form is mapped, not read: decompress it into a " +
                    "file first, and name that");
  if (is_idx(stream)) return Kind::pictures;
  return is_csv(stream) ? Kind::csv : Kind::libsvm;
}

LibsvmOptions libsvm_options(const ReadOptions& options) {
  return {.zero_based = options.zero_based, .threads = options.threads};
}

CsvOptions csv_options(const ReadOptions& options) {
  return {.label_column = options.label_column,
          .label_column_name = options.label_column_name,
          .label_column_usual = options.label_column_usual,
          .feature_names = options.feature_names,
          .labels_optional = options.labels_optional,
          .dimension_min = options.dimension.value_or(0),
          .header = options.header,
          .text_labels = options.text_labels,
          .threads = options.threads};
}

Dataset built(Dataset data, CsvSamples csv, const ReadOptions& options) {
  data = built(std::move(data), std::move(csv.samples), options);
  data.label_names = std::move(csv.label_names);
  data.label_column = std::move(csv.label_column);
  data.label_column_name = std::move(csv.label_column_name);
  data.columns_ignored = std::move(csv.columns_ignored);
  data.all_columns_said = true;
  set_feature_names(data, std::move(csv.feature_names));
  return data;
}

Dataset read_pictures(InputStream& stream, const std::string& path, const ReadOptions& options) {
  Dataset data{.name = stream.name()};
  CollectedRows samples = read_idx(stream, path, options, data.picture);
  return built(std::move(data), std::move(samples), options);
}

Dataset read_file(const std::string& path, const ReadOptions& options) {
  check_there(path);
  InputStream stream(path);
  const Dataset empty{.name = stream.name()};
  const Kind kind = kind_of(stream);
  check_options(kind, empty.name, options);
  if (kind == Kind::pictures) return read_pictures(stream, path, options);
  if (kind == Kind::libsvm)
    return built(empty, read_libsvm(stream, libsvm_options(options)), options);
  return built(empty, read_csv(stream, csv_options(options)), options);
}

void for_each_block_of_file(const std::string& path, const ReadOptions& options,
                            const VisitBlock& visit) {
  check_there(path);
  InputStream stream(path);
  const Dataset empty{.name = stream.name()};
  const Kind kind = kind_of(stream);
  check_options(kind, empty.name, options);
  const auto hand_over = [&](auto samples) { visit(built(empty, std::move(samples), options)); };
  if (kind == Kind::pictures)
    for_each_slice(read_pictures(stream, path, options), visit);
  else if (kind == Kind::libsvm)
    read_libsvm_blocks(stream, libsvm_options(options), hand_over);
  else
    read_csv_blocks(stream, csv_options(options), hand_over);
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  if (is_binary_file(path)) return open_binary(path, options);
  if (!path.starts_with(kGenerate)) return read_file(path, options);
  check_options(Kind::generated, path, options);
  const GeneratedRows rows = make_generator(parse_spec(path.substr(kGenerate.size()))).rows();
  return built({.name = path, .ratings = rows.ratings}, generate(rows, options.threads), options);
}

void for_each_block(const std::string& path, const ReadOptions& options, const VisitBlock& visit) {
  if (is_binary_file(path)) return for_each_block_of_binary(path, options, visit);
  if (!path.starts_with(kGenerate)) return for_each_block_of_file(path, options, visit);
  check_options(Kind::generated, path, options);
  const GeneratedRows rows = make_generator(parse_spec(path.substr(kGenerate.size()))).rows();
  generate_blocks(rows, options.threads, [&](CollectedRows samples) {
    visit(built({.name = path, .ratings = rows.ratings}, std::move(samples), options));
  });
}

}  // namespace asynprox
