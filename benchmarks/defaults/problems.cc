#include "benchmarks/defaults/problems.h"

#include <fmt/format.h>

#include <array>

#include "asynprox/base/spec.h"
#include "asynprox/regularizers/share.h"
#include "asynprox/solve.h"

#include "benchmarks/defaults/datasets.h"

namespace asynprox::benchmarks {
namespace {

struct Line {
  const char* data;
  const char* loss;
  const char* regularizer;
};

constexpr std::array kLines = {
    Line{"a9a", "logistic", "l1:1e-4"},
    Line{"a9a", "logistic", "l1:1e-3"},
    Line{"a9a", "logistic", "squared-l2:1e-4"},
    Line{"a9a", "squared-hinge", "l1:0.01max"},
    Line{"a9a", "sigmoid", "l1:0.01max"},
    Line{"a9a", "logistic", "l2-ball:3"},
    Line{"a9a", "squared", "nonneg-l1:0.01max"},
    Line{"mushrooms", "logistic", "l1:1e-4"},
    Line{"mushrooms", "logistic", "l1:0.1max"},
    Line{"mushrooms", "logistic", "squared-l2:1e-3"},
    Line{"mushrooms", "squared-hinge", "l1:0.001max"},
    Line{"mushrooms", "sigmoid", "l1:0.01max"},
    Line{"mushrooms", "squared", "nonneg"},
    Line{"heart", "logistic", "l1:0.1max"},
    Line{"heart", "logistic", "l1:0.01max"},
    Line{"heart", "squared-hinge", "squared-l2:0.01"},
    Line{"heart", "sigmoid", "squared-l2:0.01"},
    Line{"heart", "logistic", "l2-ball:1"},
    Line{"abalone", "squared", "l1:0.1max"},
    Line{"abalone", "squared", "l1:0.001max"},
    Line{"abalone", "huber", "l1:0.01max"},
    Line{"abalone", "squared", "nonneg"},
    Line{"abalone", "huber", "squared-l2:0.01"},
    Line{"mnist-2000", "logistic", "l1:0.1max"},
    Line{"mnist-2000", "logistic", "l1:0.01max"},
    Line{"mnist-2000", "squared-hinge", "squared-l2:1"},
    Line{"mnist-2000", "squared", "nonneg-l1:0.01max"},
    Line{"mnist-2000", "logistic", "l2-ball:0.01"},
    Line{"sparse-unit", "logistic", "l1:0.1max"},
    Line{"sparse-unit", "logistic", "l1:0.01max"},
    Line{"sparse-unit", "logistic", "squared-l2:1e-4"},
    Line{"sparse-unit", "squared-hinge", "l1:0.01max"},
    Line{"sparse-unit", "sigmoid", "l1:0.1max"},
    Line{"sparse-counts", "logistic", "l1:0.1max"},
    Line{"sparse-counts", "logistic", "l1:0.01max"},
    Line{"sparse-counts", "squared-hinge", "squared-l2:0.01"},
    Line{"sparse-counts", "squared-hinge", "l1:0.1max"},
    Line{"sparse-numbers", "squared", "nonneg-l1:0.01max"},
    Line{"sparse-numbers", "huber", "l1:0.01max"},
    Line{"decades", "squared", "l1:0.1max"},
    Line{"decades", "squared", "l1:0.001max"},
    Line{"decades", "huber", "l1:0.01max"},
    Line{"decades", "squared", "nonneg"},
    Line{"decades", "squared", "squared-l2:1e-6"},
    Line{"wide", "squared", "l1:0.1max"},
    Line{"wide", "squared", "l1:0.01max"},
    Line{"wide", "squared", "l1:0.001max"},
    Line{"wide", "huber", "l1:0.1max"},
    Line{"wide", "squared", "nonneg-l1:0.1max"},
    Line{"outlier", "squared", "l1:0.01max"},
    Line{"outlier", "huber", "l1:0.1max"},
    Line{"outlier", "huber", "l1:0.01max"},
    Line{"outlier-classes", "logistic", "l1:0.01max"},
    Line{"outlier-classes", "squared-hinge", "squared-l2:0.01"},
    Line{"outlier-classes", "logistic", "l2-ball:1"},
    Line{"separable", "logistic", "l1:0.1max"},
    Line{"separable", "logistic", "l1:0.001max"},
    Line{"separable", "logistic", "squared-l2:1e-4"},
    Line{"separable", "squared-hinge", "l1:0.001max"},
    Line{"separable", "sigmoid", "squared-l2:1e-3"},
    Line{"correlated", "logistic", "l1:0.1max"},
    Line{"correlated", "logistic", "l1:0.01max"},
    Line{"correlated", "squared-hinge", "squared-l2:0.01"},
    Line{"correlated", "squared-hinge", "l1:0.01max"},
    Line{"correlated", "squared", "l2-ball:0.5"},
    Line{"tiny", "logistic", "l1:0.01max"},
    Line{"tiny", "squared", "squared-l2:0.1"},
};

std::string name_of(const Line& line) {
  return fmt::format("{} {} {}", line.data, line.loss, line.regularizer);
}

DefaultsProblem problem_of(const Line& line, const std::shared_ptr<const Dataset>& data) {
  const AnyLoss loss = make_loss(parse_spec(line.loss));
  const Spec h = resolve_share(parse_spec(line.regularizer), nullptr,
                               [&] { return gradient_at_zero(*data, loss); });
  return {name_of(line), data, loss, make_regularizer(h)};
}

}  // namespace

DefaultsProblems defaults_problems(const std::string& data_folder, const std::string& part) {
  DefaultsProblems found;
  for (const std::string& name : defaults_datasets()) {
    std::vector<Line> lines;
    for (const Line& line : kLines)
      if (line.data == name && name_of(line).find(part) != std::string::npos) lines.push_back(line);
    if (lines.empty()) continue;
    const auto data = defaults_dataset(name, data_folder);
    if (data == nullptr) found.absent.push_back(name);
    for (const Line& line : lines)
      if (data != nullptr) found.problems.push_back(problem_of(line, data));
  }
  return found;
}

}  // namespace asynprox::benchmarks
