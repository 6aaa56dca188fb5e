#include "asynprox/refinements/outputs_prox.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 50;

Problem problem_of(const AnyLoss& loss) {
  Dataset data = read_dataset("generate:sparse-logistic:n=50,d=8,nonzeros=3");
  for (std::size_t i = 0; i < kSamples; ++i) {
    if (loss.name() == "poisson") data.labels[i] = static_cast<double>(i % 4);
    data.weights.push_back(0.5 + static_cast<double>(i % 3));
  }
  return make_problem(LinearSum(data, data.labels, loss, {.outputs = 1}), L1{.lambda = 0.1});
}

Vector centres(double scale) {
  Vector c(kSamples);
  for (std::size_t i = 0; i < kSamples; ++i)
    c[i] = scale * (static_cast<double>(i) - 0.5 * kSamples) / kSamples;
  return c;
}

// u + tau F'(u) / n - c
Vector errors(const Problem& problem, const Vector& u, double tau, const Vector& c) {
  OutputsProx at{.outputs = u, .scalars = {}, .curvatures = {}};
  EXPECT_TRUE(prox_of_outputs(problem.f, u, 0, at));
  Vector errors(kSamples);
  for (std::size_t i = 0; i < kSamples; ++i)
    errors[i] = at.outputs[i] + tau * at.scalars[i] / kSamples - c[i];
  return errors;
}

// The equation that defines it, for every convex loss, short and long distances: its left side rises through
// the centre within the rounding of u. How steeply is up to the loss, and beside kinks to the side.
TEST(OutputsProx, SolvesItsEquation) {
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const Problem problem = problem_of(Loss{});
    if (!problem.f.convex()) return;
    for (const double tau : {0.0, 1.0, 1e3, 1e8}) {
      SCOPED_TRACE(testing::Message() << Loss::name << ", tau " << tau);
      const Vector c = centres(20);
      OutputsProx found{.outputs = Vector(kSamples, 0.1), .scalars = {}, .curvatures = {}};
      ASSERT_TRUE(prox_of_outputs(problem.f, c, tau, found));
      Vector below = found.outputs, above = found.outputs;
      for (std::size_t i = 0; i < kSamples; ++i) {
        const double rounding = 1e-13 * (1 + std::abs(found.outputs[i]));
        below[i] -= rounding;
        above[i] += rounding;
      }
      const Vector left = errors(problem, below, tau, c), right = errors(problem, above, tau, c);
      for (std::size_t i = 0; i < kSamples; ++i) {
        // F' is rounded too, to about 1e-16.
        const double rounding =
            1e-13 * (std::abs(found.outputs[i]) + std::abs(c[i])) + 1e-15 * tau / kSamples;
        EXPECT_LE(left[i], rounding);
        EXPECT_GE(right[i], -rounding);
        EXPECT_GE(found.curvatures[i], 0);
      }
    }
  });
}

// (u - y)^2 / 2 for one of n samples of weight w:  u + tau w (u - y) / n = c
TEST(OutputsProx, OfASquareIsAMean) {
  const Problem problem = problem_of(SquaredLoss{});
  const Vector c = centres(4);
  OutputsProx found{.outputs = c, .scalars = {}, .curvatures = {}};
  ASSERT_TRUE(prox_of_outputs(problem.f, c, kSamples, found));
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double w = found.curvatures[i], y = found.outputs[i] - found.scalars[i] / w;
    // w is a difference, over 1e-7 of an output.
    EXPECT_NEAR(std::abs(y), 1, 1e-8);
    EXPECT_NEAR(found.outputs[i], (c[i] + w * y) / (1 + w), 1e-8);
  }
}

// From where exp() is nothing a step leads to where it overflows.
TEST(OutputsProx, ComesBackFromWhereTheLossOverflows) {
  const Problem problem = problem_of(PoissonLoss{});
  const Vector c(kSamples, 1e4);
  OutputsProx found{.outputs = Vector(kSamples, -100), .scalars = {}, .curvatures = {}};
  ASSERT_TRUE(prox_of_outputs(problem.f, c, 1, found));
  for (std::size_t i = 0; i < kSamples; ++i)
    EXPECT_NEAR(found.outputs[i] + found.scalars[i] / kSamples, c[i], 1e-8);
}

// The slope is 0 on one side of the kink, and 2e6 on the other: steps that begin beside it are short.
TEST(OutputsProx, IsNotHeldUpByAKink) {
  const Problem problem = problem_of(SquaredHingeLoss{});
  for (const double aside : {-1e-5, -1e-9, 1e-9, 1e-5})
    for (const double kink : {-1.0, 1.0}) {
      const Vector c = centres(20);
      OutputsProx found{.outputs = Vector(kSamples, kink + aside), .scalars = {}, .curvatures = {}};
      ASSERT_TRUE(prox_of_outputs(problem.f, c, 1e8, found));
      for (std::size_t i = 0; i < kSamples; ++i)
        EXPECT_NEAR(found.outputs[i] + 1e8 / kSamples * found.scalars[i], c[i], 1e-6);
    }
}

// exp() of an output of 1e4 overflows where it begins: there is nothing to go on from.
TEST(OutputsProx, SaysWhereTheLossOverflows) {
  const Problem problem = problem_of(PoissonLoss{});
  OutputsProx found{.outputs = Vector(kSamples, 1e4), .scalars = {}, .curvatures = {}};
  EXPECT_FALSE(prox_of_outputs(problem.f, Vector(kSamples, 1e4), 1, found));
}

}  // namespace
}  // namespace asynprox
