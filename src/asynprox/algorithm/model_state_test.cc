#include "asynprox/algorithm/model_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "asynprox/base/random.h"
#include "asynprox/regularizers/all.h"

namespace asynprox {
namespace {

// A step with given pushes and eta, both phases.
void step(ModelState& state, const std::vector<Push>& pushes, double eta) {
  std::vector<const Push*> pointers;
  for (const Push& push : pushes) pointers.push_back(&push);
  state.gather(pointers, static_cast<double>(pushes.size()));
  state.step(eta);
  ASSERT_TRUE(state.commit());
}

// A few random keys, each at most once, with random values.
Push random_push(const Random& random, std::uint64_t& counter, std::size_t dimension) {
  Push push;
  push.keys.all = false;
  for (std::size_t j = 0; j < dimension; ++j) {
    if (random.uniform_at(counter++) > 0.2) continue;
    push.keys.list.push_back(static_cast<Key>(j));
    push.values.push_back(2 * random.uniform_at(counter++) - 1);
  }
  return push;
}

// Uniform in the exponent over four decades.
double random_step(const Random& random, std::uint64_t& counter) {
  return 1e-4 * std::pow(10.0, 4 * random.uniform_at(counter++));
}

// Every separable member, with parameters that make it do something.
std::vector<AnyRegularizer> separable_regularizers(std::size_t dimension) {
  Vector weights(dimension);
  for (std::size_t j = 0; j < dimension; ++j) weights[j] = static_cast<double>(j % 3) / 2;
  const ReadNumbers read = [&](const std::string&) { return weights; };
  std::vector<AnyRegularizer> members;
  for (const std::string spec :
       {"zero", "l1:0.03", "weighted-l1:0.03,weights=w", "squared-l2:0.3",
        "elastic-net:l1=0.02,l2=0.2", "elastic-net:l1=0.02,l2=0", "elastic-net:l1=0,l2=0.2",
        "nonneg", "nonneg-l1:0.03", "box:lower=-0.1,upper=0.4", "linf-ball:0.3"})
    members.push_back(make_regularizer(parse_spec(spec), read).bound(dimension));
  return members;
}

TEST(LazyState, CoversEverySeparableMember) {
  std::set<std::string> covered, separable;
  for (const AnyRegularizer& h : separable_regularizers(4)) covered.emplace(h.name());
  for_each_member(AllRegularizers{}, [&]<class Member>(std::type_identity<Member>) {
    if (SeparableRegularizer<Member>) separable.emplace(Member::name);
  });
  EXPECT_EQ(covered, separable);
}

TEST(LazyState, EqualsDenseOverRandomTouchesAndSteps) {
  constexpr std::size_t kDimension = 23;
  for (const AnyRegularizer& h : separable_regularizers(kDimension)) {
    SCOPED_TRACE(h.name());
    const Random random(7);
    std::uint64_t counter = 0;
    Vector x0(kDimension);
    for (double& x : x0) x = random.uniform_at(counter++);
    h.prox(x0, 1e-9);
    const auto dense = make_dense_state(x0, h), lazy = make_lazy_state(x0, h);
    for (int k = 0; k < 3000; ++k) {
      std::vector<Push> pushes(1 + random.index_at(counter++, 3));
      for (Push& push : pushes) push = random_push(random, counter, kDimension);
      const double eta = random_step(random, counter);
      step(*dense, pushes, eta);
      step(*lazy, pushes, eta);
      const Vector expected = dense->iterate(), got = lazy->iterate();
      for (std::size_t j = 0; j < kDimension; ++j)
        ASSERT_NEAR(got[j], expected[j], 1e-12 * std::max(1.0, std::abs(expected[j]))) << k;
    }
  }
}

// The dense model rounds at each of ten million steps, so the comparison is with long doubles. The
// coordinate is touched every million steps.
TEST(LazyState, StaysExactAfterTenMillionSteps) {
  constexpr double kL1 = 1e-6, kL2 = 1e-5;
  const auto lazy = make_lazy_state({3, -2}, ElasticNet{.l1 = kL1, .l2 = kL2});
  long double expected = 3;
  const Random random(3);
  std::uint64_t counter = 0;
  Push idle, touch;
  idle.keys = Keys::only({1});
  idle.values = {0.001};
  touch.keys = Keys::only({0});
  touch.values = {-0.5};
  for (int k = 1; k <= 10'000'000; ++k) {
    // Four decades, without a costly function.
    const double decade[] = {1e-4, 1e-3, 1e-2, 1e-1};
    const double eta = decade[random.index_at(counter++, 4)];
    const bool touched = k % 1'000'000 == 0;
    const Push* const push = touched ? &touch : &idle;
    lazy->gather({&push, 1}, 1);
    lazy->step(eta);
    ASSERT_TRUE(lazy->commit());
    const long double v = expected + (touched ? 0.5L * eta : 0.0L);
    const long double shrunk = std::max(0.0L, std::abs(v) - static_cast<long double>(eta) * kL1);
    expected = std::copysign(shrunk / (1 + static_cast<long double>(eta) * kL2), v);
  }
  const double relative = std::abs(static_cast<double>(lazy->iterate()[0] / expected) - 1);
  EXPECT_LT(relative, 1e-12);
}

TEST(LazyState, ReadingChangesNothing) {
  const auto often = make_lazy_state({1, 2, 3}, SquaredL2{.lambda = 0.3});
  const auto once = make_lazy_state({1, 2, 3}, SquaredL2{.lambda = 0.3});
  Push push;
  push.keys = Keys::only({1});
  push.values = {0.1};
  Model model;
  for (int k = 0; k < 100; ++k) {
    step(*often, {push}, 0.01);
    step(*once, {push}, 0.01);
    model.keys = Keys::only({0, 2});
    often->read(model);
  }
  EXPECT_EQ(often->iterate(), once->iterate());
}

TEST(LazyState, RefusesARegulariserThatIsNotSeparable) {
  EXPECT_THROW(make_lazy_state({1}, L2Ball{}), ContractError);
}

TEST(DenseState, TakesKeyedAndWholePushesAlike) {
  Push whole, keyed, empty;
  whole.values = {1, 0, 2};
  keyed.keys = Keys::only({2, 0});
  keyed.values = {2, 1};
  empty.keys.all = false;
  const auto a = make_dense_state({0, 0, 0}, L1{.lambda = 0.1});
  const auto b = make_dense_state({0, 0, 0}, L1{.lambda = 0.1});
  step(*a, {whole, empty}, 0.5);
  step(*b, {keyed, empty}, 0.5);
  EXPECT_EQ(a->iterate(), b->iterate());
  Model model;
  model.keys = Keys::only({2});
  a->read(model);
  EXPECT_EQ(model.values, (Vector{a->iterate()[2]}));
}

}  // namespace
}  // namespace asynprox
