// What the spec of every member of every family must satisfy: made into text and read back, it
// makes a member with the same parameters, to the bit.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/family_testing.h"
#include "asynprox/cluster.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/delays/all.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/kinds.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sampling/all.h"
#include "asynprox/simulator/cluster.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

const std::vector<double> kFileNumbers = {0.1, 2, 1e-300};

const ReadNumbers kRead = [](const std::string&) { return kFileNumbers; };

// Numbers that need all their digits, and ones with exponents, as far as the bounds allow.
std::vector<double> numbers(const Bounds& bounds) {
  std::vector<double> within;
  for (const double number : {1 / 3.0, 0.1 + 0.2, 1e-300, 1e300, -2e-7, 0.0, 1.0, 12345678.9})
    if (bounds.hold(number)) within.push_back(number);
  return within;
}

std::vector<double> values(const double&, const Bounds& bounds) { return numbers(bounds); }
std::vector<std::int64_t> values(const std::int64_t&, const Bounds& bounds) {
  std::vector<std::int64_t> within;
  for (const std::int64_t number : {3, 0, 1, 12, 1'000'000})
    if (bounds.hold(static_cast<double>(number))) within.push_back(number);
  return within;
}
std::vector<NumbersFile> values(const NumbersFile&, const Bounds&) {
  return {{"a.txt", kFileNumbers}, {"with,comma=and colon:.txt", kFileNumbers}};
}
std::vector<std::string> values(const std::string&, const Words& words) {
  return {words.all.begin(), words.all.end()};
}

// With what must be given.
template <class Member>
Member example() {
  Member member;
  const auto fill = [&](const auto& p) {
    if (p.presence == Presence::required)
      member.*p.field = values(member.*p.field, p.bounds).front();
  };
  std::apply([&](const auto&... parameters) { (fill(parameters), ...); }, Member::parameters());
  return member;
}

template <class Member>
void expect_round_trip(const Member& member) {
  const std::string text = spec_of(member).text();
  const auto again = make_member<Member>(parse_spec(text), kRead);
  const auto compare = [&](const auto& p) {
    EXPECT_EQ(again.*p.field, member.*p.field) << text << ", " << p.name;
  };
  std::apply([&](const auto&... parameters) { (compare(parameters), ...); }, Member::parameters());
  EXPECT_EQ(spec_of(again).text(), text);
}

template <class Member>
class SpecLaws : public ::testing::Test {};

TYPED_TEST_SUITE_P(SpecLaws);

TYPED_TEST_P(SpecLaws, MakesTheMemberAgain) {
  const TypeParam usual = example<TypeParam>();
  expect_round_trip(usual);
  const auto vary = [&](const auto& p) {
    for (const auto& value : values(usual.*p.field, p.bounds)) {
      TypeParam member = usual;
      member.*p.field = value;
      expect_round_trip(member);
    }
  };
  std::apply([&](const auto&... parameters) { (vary(parameters), ...); }, TypeParam::parameters());
}

REGISTER_TYPED_TEST_SUITE_P(SpecLaws, MakesTheMemberAgain);

INSTANTIATE_TYPED_TEST_SUITE_P(Losses, SpecLaws, TypesOf<AllLosses>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(Regularizers, SpecLaws, TypesOf<AllRegularizers>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(StepSizes, SpecLaws, TypesOf<AllStepSizes>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(Methods, SpecLaws, TypesOf<AllMethods>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(Samplings, SpecLaws, TypesOf<AllSamplings>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(Delays, SpecLaws, TypesOf<AllDelays>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(ComputeTimes, SpecLaws, TypesOf<AllComputeTimes>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(FaultModels, SpecLaws, TypesOf<AllFaults>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(Models, SpecLaws, TypesOf<AllModels>::type, MemberName);
INSTANTIATE_TYPED_TEST_SUITE_P(Generators, SpecLaws, TypesOf<AllGenerators>::type, MemberName);

TEST(Specs, AreThoseOfTheMembersHeld) {
  EXPECT_EQ(AnyLoss(HuberLoss{.delta = 1.5}).spec(), "huber:delta=1.5");
  EXPECT_EQ(AnyLoss(HuberLoss{}).spec(), "huber");
  EXPECT_EQ(AnyRegularizer(L1{.lambda = 1e-4}).spec(), "l1:lambda=0.0001");
  EXPECT_EQ(AnyRegularizer(L1{.lambda = 1e-4}).bound(7, 2).spec(), "l1:lambda=0.0001");
  EXPECT_EQ(AnyStepSize(ConstantStep{.value = 0.5}).spec(), "constant:eta=0.5");
  EXPECT_EQ(AnySampling(Passes{.pieces = 8}).spec(), "passes:pieces=8");
}

TEST(Specs, NameNumbersThatCameFromNoFileByTheirHash) {
  const AnyRegularizer ones = WeightedL1{.lambda = 1, .weights = {"", {1, 1}}};
  const AnyRegularizer twos = WeightedL1{.lambda = 1, .weights = {"", {2, 2}}};
  EXPECT_TRUE(ones.spec().starts_with("weighted-l1:lambda=1,weights=#2 numbers with hash "));
  EXPECT_NE(ones.spec(), twos.spec());
}

TEST(Specs, OfAComputeTimeHaveTheRateItIsLimitedTo) {
  AnyComputeTime time = ConstantTime{.rate = 1000};
  time.limit_rate(250);
  EXPECT_EQ(time.spec(), "constant:rate=250");
}

}  // namespace
}  // namespace asynprox
