#include "asynprox/algorithm/methods/fista.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/regularizers/all.h"

namespace asynprox {
namespace {

// A step along one push, both phases.
void step(ModelState& state, const Push& push, double eta) {
  const Push* const pushes[] = {&push};
  state.gather(pushes, /*batch_size=*/1);
  state.step(eta);
  ASSERT_TRUE(state.commit());
}

// f = (x_1^2 + 100 x_2^2) / 2, started in the flat direction: without restarts momentum carries x_1
// through zero and swings; with them the distance falls at every hundredth step.
TEST(Fista, RestartsWhenMomentumPointsUphill) {
  const auto fista = Fista::make_state({.x0 = {1, 1e-3}, .h = Zero{}});
  Model model;
  double last = 1;
  for (int k = 1; k <= 600; ++k) {
    fista->read(model);
    Push push;
    push.values = {(*model.whole)[0], 100 * (*model.whole)[1]};
    step(*fista, push, 0.01);
    if (k % 100 != 0) continue;
    const double distance = std::abs(fista->iterate()[0]);
    EXPECT_LT(distance, 0.2 * last) << "after " << k << " steps";
    last = distance;
  }
}

// f = x^2 / 2 per coordinate, h = 0: with eta = 1 the first step solves it.
TEST(Fista, Extrapolates) {
  const auto fista = Fista::make_state({.x0 = {4}, .h = Zero{}});
  Model model;
  std::vector<double> iterates;
  for (int k = 0; k < 60; ++k) {
    fista->read(model);
    Push push;
    push.values = {(*model.whole)[0]};
    step(*fista, push, 0.1);
    iterates.push_back(fista->iterate()[0]);
  }
  EXPECT_DOUBLE_EQ(iterates[0], 3.6);
  EXPECT_DOUBLE_EQ(iterates[1], 0.9 * 3.6);    // no momentum after the first step
  EXPECT_LT(iterates[2], 0.9 * iterates[1]);   // momentum from the second on
  EXPECT_LT(std::abs(iterates.back()), 1e-4);  // plain gradient steps: 4 * 0.9^60 = 7e-3
}

}  // namespace
}  // namespace asynprox
