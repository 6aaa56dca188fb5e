// A network pruned by its regulariser, by real workers, with no step size to tune.
#include <gtest/gtest.h>

#include <algorithm>

#include "asynprox/data/split.h"
#include "asynprox/solve.h"
#include "asynprox/sums/any_finite_sum.h"
#include "asynprox/sums/network.h"

#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

Dataset pictures(const std::string& file) {
  Dataset data = real_data(file, {.dimension = 784});
  normalize_rows(data);
  return data;
}

double accuracy(const NetworkShape& shape, const Vector& x, const Dataset& data) {
  const Vector outputs = network_outputs(shape, x, data);
  double right = 0;
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const auto u = std::span(outputs).subspan(i * shape.outputs, shape.outputs);
    const auto chosen = std::ranges::max_element(u) - u.begin();
    right += static_cast<double>(chosen) == data.labels[i] ? 1 : 0;
  }
  return right / static_cast<double>(data.num_samples());
}

AnyRegularizer on_units(const NetworkShape& shape, double lambda) {
  GroupLasso h = {.lambda = lambda};
  h.groups.numbers = shape.unit_groups();
  return h;
}

// A sixth of mnist, and 15 epochs: examples/network.cc has all of it.
TEST(Network, ReadsDigitsWithTwoThirdsOfItsUnits) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset train = split(pictures("mnist.xz"), 1.0 / 6, /*seed=*/1).test;
  const Network f(train, train.labels, MultinomialLoss{}, {784, {128}, 10});
  const Options options = {.workers = 2, .stop = {.epochs = 15}};
  const Result result = solve(f, on_units(f.shape(), 2e-4), options);
  EXPECT_EQ(result.plan.state, StateChoice::dense);
  EXPECT_FALSE(result.theory.lipschitz.has_value()) << "f has no Lipschitz constant";
  EXPECT_GE(accuracy(f.shape(), result.x, pictures("mnist.t.xz")), 0.89);
  const auto zero_units = static_cast<std::int64_t>(f.shape().zero_units(result.x)[0]);
  EXPECT_GE(zero_units, 43);
  // What is zero is zero, in and out.
  EXPECT_LE(result.nonzeros, (128 - zero_units) * 795 + 10);
  RecordProperty("zero_units", static_cast<int>(zero_units));
}

}  // namespace
}  // namespace asynprox
