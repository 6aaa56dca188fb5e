// What all given delays must satisfy. Those that join the list are tested without a change here.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/family_testing.h"
#include "asynprox/delays/all.h"

namespace asynprox {
namespace {

constexpr std::int64_t kLargest = 5;
constexpr std::int64_t kPushesPerStep = 3;

// The member with T = 5, or with a file of ages from 0 to 5.
template <class Delay>
AnyDelay example(const std::string& number = "5", std::vector<double> file = {3, 0, 5, 1}) {
  Spec spec{std::string(Delay::name), {}};
  for (const MemberDescription& member : describe(Family<Delay>{}))
    for (const ParameterDescription& p : member.parameters)
      spec.settings.push_back({p.name, number});
  return make_delay(spec, [file](const std::string&) { return file; });
}

template <class Visit>
void for_pushes(std::int64_t steps, Visit visit) {
  for (std::int64_t k = 0; k < steps; ++k)
    for (std::int64_t i = 0; i < kPushesPerStep; ++i)
      visit(DelayContext{.k = k, .number = kPushesPerStep * k + i, .random = Random(7)});
}

template <class Delay>
class DelayLaws : public ::testing::Test {};

TYPED_TEST_SUITE(DelayLaws, TypesOf<AllDelays>::type, MemberName);

TYPED_TEST(DelayLaws, StaysBetweenTheNewestModelAndTheFirst) {
  const AnyDelay delay = example<TypeParam>();
  EXPECT_EQ(delay.max(), kLargest);
  for_pushes(200, [&](const DelayContext& context) {
    EXPECT_GE(delay.tau(context), 0) << "k " << context.k;
    EXPECT_LE(delay.tau(context), std::min(delay.max(), context.k)) << "k " << context.k;
  });
}

TYPED_TEST(DelayLaws, AttainsItsLargestAgeAgainAndAgain) {
  const AnyDelay delay = example<TypeParam>();
  std::int64_t attained = 0;
  for_pushes(200, [&](const DelayContext& c) { attained += delay.tau(c) == delay.max() ? 1 : 0; });
  EXPECT_GE(attained, 200 * kPushesPerStep / 12);
}

TYPED_TEST(DelayLaws, IsAFunctionOfItsContextAlone) {
  const AnyDelay delay = example<TypeParam>(), twin = example<TypeParam>();
  EXPECT_EQ(delay.name(), TypeParam::name);
  for_pushes(50, [&](const DelayContext& c) { EXPECT_EQ(delay.tau(c), twin.tau(c)); });
}

TYPED_TEST(DelayLaws, OfZeroIsNoDelay) {
  const AnyDelay delay = example<TypeParam>("0", {0});
  EXPECT_EQ(delay.max(), 0);
  for_pushes(20, [&](const DelayContext& context) { EXPECT_EQ(delay.tau(context), 0); });
}

TYPED_TEST(DelayLaws, RefusesWhatIsNoWholeNumberOfSteps) {
  for (const double bad : {-1.0, 0.5, 1e10}) {
    const std::string text = std::to_string(bad);
    EXPECT_THROW(example<TypeParam>(text, {0, bad}), ContractError) << text;
  }
  EXPECT_THROW(make_delay({std::string(TypeParam::name), {{"no-such-key", "1"}}}), ContractError);
}

}  // namespace
}  // namespace asynprox
