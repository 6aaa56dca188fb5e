#include <fmt/format.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/data/idx.h"
#include "asynprox/data/libsvm.h"

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

LabelledRows read_idx(InputStream& stream, const std::string& path, const ReadOptions& options,
                      std::optional<PictureShape>& picture) {
  IdxImages images = read_idx_images(stream);
  InputStream labels_stream(labels_path_of(path, options));
  LabelledRows samples{std::move(images.matrix), read_idx_labels(labels_stream)};
  picture = images.picture;
  const std::size_t num_images = samples.matrix.offsets.size() - 1;
  if (samples.labels.size() != num_images)
    throw DataError(fmt::format("{}: expected {} labels, one for each sample of {}, got {}",
                                labels_stream.name(), num_images, path, samples.labels.size()));
  return samples;
}

void widen(CsrMatrix& matrix, const std::string& name, std::optional<std::size_t> dimension) {
  if (!dimension) return;
  if (*dimension < matrix.num_columns)
    throw DataError(fmt::format("{}: expected at most {} columns (--dimension), got {}", name,
                                *dimension, matrix.num_columns));
  matrix.num_columns = *dimension;
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  Dataset data;
  data.name = path;
  LabelledRows samples;
  bool is_pictures = false;
  if (path.starts_with(kGenerate)) {
    samples = all_samples(make_generator(parse_spec(path.substr(kGenerate.size()))).rows());
  } else {
    check_there(path);
    InputStream stream(path);
    data.name = stream.name();
    is_pictures = is_idx(stream);
    samples =
        is_pictures
            ? read_idx(stream, path, options, data.picture)
            : read_libsvm(stream, {.zero_based = options.zero_based, .threads = options.threads});
  }
  require(is_pictures || !options.labels_path,
          data.name + ": --labels is for IDX pictures; here the labels stand with the samples");
  widen(samples.matrix, data.name, options.dimension);
  data.labels = std::move(samples.labels);
  data.rows = Rows::narrowed(samples.matrix);
  return data;
}

}  // namespace asynprox
