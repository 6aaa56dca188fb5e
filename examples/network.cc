// A neural network that its regulariser prunes: one hidden layer of 128 units, group-lasso on them.
// Units whose weights, in and out, shrink to exactly zero are not needed, and can be left out.
//
//   example_network                          rings in the plane, made on the spot; seconds
//   example_network mnist.xz mnist.t.xz      digits, rows scaled to length one; a minute or two
//
// Ends with 0 if at least 97 in 100 of the test's samples are right, and a third of the units gone.
#include <asynprox/dataset.h>
#include <asynprox/network.h>
#include <asynprox/solve.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

using asynprox::Dataset;

constexpr std::size_t kUnits = 128;

struct Task {
  Dataset train, test;
  double lambda = 0;
  double epochs = 0;
};

// Three rings of points around the origin, the label is the ring: no line tells them apart.
Task rings() {
  constexpr int kPoints = 9000;
  asynprox::CsrMatrix matrix = {.num_columns = 2};
  Dataset data;
  for (int i = 0; i < kPoints; ++i) {
    const int ring = i % 3;
    const double angle = 2 * std::numbers::pi * i / kPoints;
    const double radius = 0.5 + ring + 0.3 * std::sin(1.7 * i);
    matrix.columns.insert(matrix.columns.end(), {0, 1});
    matrix.values.insert(matrix.values.end(), {radius * std::cos(angle), radius * std::sin(angle)});
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(ring);
  }
  data.rows = asynprox::Rows::narrowed(matrix);
  asynprox::Split parts = asynprox::split(data, /*test_share=*/0.2, /*seed=*/1);
  return {std::move(parts.train), std::move(parts.test), /*lambda=*/1e-3, /*epochs=*/40};
}

Task digits(const char* train, const char* test) {
  Task task = {asynprox::read_dataset(train), {}, /*lambda=*/2e-5, /*epochs=*/30};
  task.test = asynprox::read_dataset(test, {.dimension = task.train.dimension()});
  normalize_rows(task.train);
  normalize_rows(task.test);
  return task;
}

double accuracy(const asynprox::NetworkShape& shape, const asynprox::Vector& x,
                const Dataset& data) {
  const asynprox::Vector outputs = network_outputs(shape, x, data);
  double right = 0;
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const double* const u = outputs.data() + i * shape.outputs;
    right += static_cast<double>(std::max_element(u, u + shape.outputs) - u) == data.labels[i];
  }
  return right / static_cast<double>(data.num_samples());
}

}  // namespace

int main(int argc, char** argv) {
  const Task task = argc == 3 ? digits(argv[1], argv[2]) : rings();
  const double classes = 1 + *std::ranges::max_element(task.train.labels);
  const asynprox::Network f(task.train, task.train.labels, asynprox::MultinomialLoss{},
                            {.inputs = task.train.dimension(),
                             .hidden = {kUnits},
                             .outputs = static_cast<std::size_t>(classes)});
  asynprox::GroupLasso h = {.lambda = task.lambda};
  h.groups.numbers = f.shape().unit_groups();
  asynprox::Options options = {.workers = 2, .stop = {.epochs = task.epochs}};
  options.on_evaluation = [](const asynprox::Evaluation& at) {
    std::printf("epoch %3.0f   objective %.4f   loss %.4f\n", at.epochs, at.objective,
                at.loss_value);
  };
  const asynprox::Result result = solve(f, h, options);

  const double right = accuracy(f.shape(), result.x, task.test);
  const std::size_t gone = f.shape().zero_units(result.x)[0];
  std::printf(
      "right on the test  %.2f %%\nunits gone         %zu of %zu\nseconds            %.1f\n",
      100 * right, gone, kUnits, result.seconds);
  return right >= 0.97 && 3 * gone >= kUnits ? 0 : 1;
}
