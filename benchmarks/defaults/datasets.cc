#include "benchmarks/defaults/datasets.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/generators/column_laws.h"
#include "asynprox/data/generators/generator.h"
#include "asynprox/data/row_slice.h"

namespace asynprox::benchmarks {
namespace {

// What a label is made of, given t = z'w and a number e near a normal one.
struct Labelling {
  bool signs = false;  // of t + noise e; or that itself
  double noise = 0;
  double label(double t, double e) const {
    const double y = t + noise * e;
    return signs ? (y > 0 ? 1.0 : -1.0) : y;
  }
};

class RowMaker {
 public:
  RowMaker(std::size_t num_columns, std::uint64_t seed, double support, double size)
      : random_(seed), weights_(num_columns) {
    matrix_.num_columns = num_columns;
    for (double& w : weights_)
      if (const double share = uniform(); share < support) w = size * normal();
  }

  double normal() { return normal_like(random_.at(counter_++)); }
  double uniform() { return random_.uniform_at(counter_++); }
  const Random& random() const { return random_; }
  std::uint64_t take_counter() { return counter_++; }
  double weights_norm() const {
    double sum = 0;
    for (const double w : weights_) sum += w * w;
    return std::sqrt(sum);
  }

  void add(Key column, double value) {
    matrix_.columns.push_back(column);
    matrix_.values.push_back(static_cast<double>(static_cast<float>(value)));
  }
  void end_row(double label) {
    matrix_.offsets.push_back(matrix_.columns.size());
    labels_.push_back(label);
  }
  double weight(Key column) const { return weights_[column]; }

  Dataset finish(const std::string& name) const {
    return {.name = name, .rows = Rows::narrowed(matrix_), .labels = labels_};
  }

 private:
  Random random_;
  std::uint64_t counter_ = 0;
  Vector weights_;
  CsrMatrix matrix_;
  Vector labels_;
};

// Dense rows near normal numbers. Column j counts 10^(-decades j / (d - 1)) times, after the label
// was made; neighbours have this correlation; row n/2 is `outlier` times longer.
struct DenseRecipe {
  std::size_t n = 1000;
  std::size_t d = 50;
  std::uint64_t seed = 1;
  double support = 1;
  Labelling labels = {};
  double decades = 0;
  double correlation = 0;
  double outlier = 1;
};

Dataset dense(const std::string& name, const DenseRecipe& recipe) {
  RowMaker rows(recipe.d, recipe.seed, recipe.support, 1);
  const double unit = recipe.labels.signs ? std::max(1e-9, rows.weights_norm()) : 1;
  const double fresh = std::sqrt(1 - recipe.correlation * recipe.correlation);
  for (std::size_t i = 0; i < recipe.n; ++i) {
    const double longer = i == recipe.n / 2 ? recipe.outlier : 1;
    double t = 0, z = rows.normal();
    for (std::size_t j = 0; j < recipe.d; ++j) {
      z = recipe.correlation * z + fresh * rows.normal();
      const double share = static_cast<double>(j) / static_cast<double>(recipe.d - 1);
      t += z * rows.weight(static_cast<Key>(j));
      rows.add(static_cast<Key>(j), longer * z * std::pow(10, -recipe.decades * share));
    }
    const double label = recipe.labels.label(t / unit, rows.normal());
    rows.end_row(recipe.labels.signs ? label : longer * label);
  }
  return rows.finish(name);
}

// Rows of counts, half of `nonzeros` entries at least and some many more, columns by Zipf's law.
struct CountsRecipe {
  std::size_t n = 5000;
  std::size_t d = 5000;
  std::uint64_t seed = 1;
  double nonzeros = 20;
  Labelling labels = {};
};

Dataset counts(const std::string& name, const CountsRecipe& recipe) {
  RowMaker rows(recipe.d, recipe.seed, 0.1, 3);
  const ZipfColumns columns(recipe.d);
  for (std::size_t i = 0; i < recipe.n; ++i) {
    const double length = 0.5 * recipe.nonzeros / std::sqrt(std::max(1e-4, rows.uniform()));
    const auto draws =
        static_cast<std::size_t>(std::clamp(length, 1.0, static_cast<double>(recipe.d) / 4));
    std::map<Key, double> entries;
    for (std::size_t draw = 0; draw < draws; ++draw) {
      double& count = entries[columns.draw(rows.random(), rows.take_counter())];
      do ++count;
      while (rows.uniform() < 0.5);
    }
    double t = 0;
    for (const auto& [column, count] : entries) {
      t += count * rows.weight(column);
      rows.add(column, count);
    }
    rows.end_row(recipe.labels.label(t, rows.normal()));
  }
  return rows.finish(name);
}

Dataset signs_of(Dataset data, const std::function<bool(double)>& positive) {
  for (double& label : data.labels) label = positive(label) ? 1 : -1;
  return data;
}

Dataset first_rows(Dataset data, std::size_t count) {
  data.rows = row_slice(data.rows, 0, std::min(count, data.num_samples()));
  data.labels.resize(data.rows.num_rows());
  data.rows_fingerprint.reset();
  return data;
}

struct FileSet {
  std::string file;
  std::function<Dataset(Dataset)> prepare;
};

const std::map<std::string, FileSet>& file_sets() {
  static const auto as_it_is = [](Dataset data) { return data; };
  static const auto larger_is_one = [](Dataset data) {
    const double largest = *std::ranges::max_element(data.labels);
    return signs_of(std::move(data), [largest](double label) { return label == largest; });
  };
  static const std::map<std::string, FileSet> sets = {
      {"a9a", {"a9a.xz", as_it_is}},
      {"mushrooms", {"mushrooms.xz", larger_is_one}},
      {"heart", {"heart_scale.xz", as_it_is}},
      {"abalone", {"abalone_scale.xz", as_it_is}},
      {"mnist-2000", {"mnist.xz", [](Dataset data) {
                        return signs_of(first_rows(std::move(data), 2000),
                                        [](double label) { return label == 0; });
                      }}}};
  return sets;
}

const std::map<std::string, std::function<Dataset(const std::string&)>>& generated_sets() {
  static const Labelling numbers{.noise = 0.1}, classes{.signs = true, .noise = 0.3};
  static const auto dense_set = [](const DenseRecipe& recipe) {
    return [recipe](const std::string& name) { return dense(name, recipe); };
  };
  static const auto counts_set = [](const CountsRecipe& recipe) {
    return [recipe](const std::string& name) { return counts(name, recipe); };
  };
  static const std::map<std::string, std::function<Dataset(const std::string&)>> sets = {
      {"sparse-unit",
       [](const std::string&) {
         return read_dataset("generate:sparse-logistic:n=5000,d=10000,nonzeros=20");
       }},
      {"sparse-counts", counts_set({.seed = 2, .labels = {.signs = true, .noise = 3}})},
      {"sparse-numbers", counts_set({.n = 3000, .d = 2000, .seed = 3, .labels = {.noise = 1}})},
      {"decades",
       dense_set({.n = 2000, .seed = 4, .support = 0.5, .labels = numbers, .decades = 3})},
      {"wide", dense_set({.n = 200, .d = 1000, .seed = 5, .support = 0.02, .labels = numbers})},
      {"outlier", dense_set({.seed = 6, .support = 0.3, .labels = numbers, .outlier = 1000})},
      {"outlier-classes",
       dense_set({.seed = 7, .support = 0.3, .labels = classes, .outlier = 1000})},
      {"separable", dense_set({.d = 20, .seed = 8, .labels = {.signs = true}})},
      {"correlated", dense_set({.d = 200,
                                .seed = 9,
                                .support = 0.1,
                                .labels = {.signs = true, .noise = 0.5},
                                .correlation = 0.95})},
      {"tiny", dense_set({.n = 40, .d = 5, .seed = 10, .labels = {.signs = true, .noise = 0.5}})}};
  return sets;
}

}  // namespace

std::vector<std::string> defaults_datasets() {
  return {"a9a",         "mushrooms",       "heart",          "abalone",    "mnist-2000",
          "sparse-unit", "sparse-counts",   "sparse-numbers", "decades",    "wide",
          "outlier",     "outlier-classes", "separable",      "correlated", "tiny"};
}

std::shared_ptr<const Dataset> defaults_dataset(const std::string& name,
                                                const std::string& folder) {
  if (const auto made = generated_sets().find(name); made != generated_sets().end())
    return std::make_shared<const Dataset>(made->second(name));
  const FileSet& set = file_sets().at(name);
  const std::filesystem::path path = std::filesystem::path(folder) / set.file;
  if (folder.empty() || !std::filesystem::exists(path)) return nullptr;
  return std::make_shared<const Dataset>(set.prepare(read_dataset(path.string())));
}

}  // namespace asynprox::benchmarks
