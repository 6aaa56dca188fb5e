#include "reproduce/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr int kReferenceSteps = 2000;
constexpr const char* kFashion = "/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz";

// The file, in one of the forms that are read.
std::optional<std::string> found(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  for (const char* ending : {"", ".xz", ".bz2", ".gz", ".zst", ".axp", ".svm"}) {
    std::string path = fmt::format("{}/{}{}", folder, name, ending);
    if (fs::is_regular_file(path, ignored)) return path;
  }
  return std::nullopt;
}

bool has_negative_entries(const Dataset& data) {
  for (std::size_t i = 0; i < data.num_samples(); ++i)
    for (const auto& [column, value] : data.rows.row(i))
      if (value < 0) return true;
  return false;
}

double proximal_gradient(const AnyFiniteSum& f, double lipschitz, Start start, std::uint64_t seed) {
  return solve(f, NonNegBall{},
               {.method = ProxGd{},
                .step = ConstantStep{.value = 1 / lipschitz},
                .workers = 2,
                .stop = {.steps = kReferenceSteps, .tolerance = 1e-13},
                .trace_every = 5,
                .start = start,
                .seed = seed})
      .objective;
}

Reference find_reference(const AnyFiniteSum& f, bool eigenvalue_is_exact, int random_starts) {
  Reference reference;
  const Smoothness smoothness = measure_smoothness(f, {.rounds_max = 100});
  reference.lipschitz = smoothness.estimate.value_or(1);
  reference.eigenvalue_answer = -reference.lipschitz / 2;
  reference.optimum = proximal_gradient(f, reference.lipschitz, Start::uniform, 1);
  for (int start = 1; start <= random_starts; ++start)
    reference.from_starts.push_back(proximal_gradient(f, reference.lipschitz, Start::random,
                                                      static_cast<std::uint64_t>(start)));
  for (const double value : reference.from_starts)
    reference.optimum = std::min(reference.optimum, value);
  if (eigenvalue_is_exact)
    reference.optimum = std::min(reference.optimum, reference.eigenvalue_answer);
  return reference;
}

}  // namespace

PaperProblem make_problem(std::string name, Dataset data, bool is_papers, bool centered,
                          int random_starts) {
  normalize_rows(data);
  if (centered) center_columns(data);
  const bool exact = !centered && !has_negative_entries(data);
  AnyFiniteSum f = LinearSum(data, {}, PcaLoss{});
  std::string about = fmt::format("{}: {} samples, {} features{}", name, data.num_samples(),
                                  data.dimension(), centered ? ", columns centred" : "");
  Reference reference = find_reference(f, exact, random_starts);
  return {std::move(name), std::move(about), is_papers,
          std::move(data), std::move(f),     std::move(reference)};
}

std::vector<PaperData> find_paper_data(const std::optional<std::string>& folder) {
  const auto in_folder = [&](const std::string& name) {
    return folder ? found(*folder, name) : std::nullopt;
  };
  const std::string where =
      folder ? "not in " + *folder : "no folder of data is named (--data-dir, ASYNPROX_DATA_DIR)";
  std::vector<PaperData> data;
  if (const auto path = in_folder("a9a"))
    data.push_back({.name = "a9a", .path = *path});
  else
    data.push_back({.name = "like_a9a",
                    .is_papers = false,
                    .substituted = "a9a: " + where + "; a generated set of its shape instead",
                    .path = "generate:nn-pca:n=32561,d=123,noise=2"});
  if (const auto path = in_folder("mnist"))
    data.push_back({.name = "mnist", .path = *path, .dimension = 780});
  else if (fs::is_regular_file(kFashion))
    data.push_back({.name = "fashion_mnist",
                    .is_papers = false,
                    .substituted = "mnist: " + where + "; Fashion-MNIST of this system instead",
                    .path = kFashion});
  else
    data.push_back({.name = "like_mnist",
                    .is_papers = false,
                    .substituted = "mnist: " + where + "; a generated set of its shape instead",
                    .path = "generate:nn-pca:n=60000,d=780,noise=2"});
  return data;
}

}  // namespace asynprox::reproduce
