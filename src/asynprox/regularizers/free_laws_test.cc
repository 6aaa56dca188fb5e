// A regulariser that does not see the last coordinates is the same one on the others, and leaves
// those alone, whatever it is.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/regularizers/regularizer_subjects_testing.h"

namespace asynprox {
namespace {

class FreeLaws : public ::testing::TestWithParam<RegularizerSubject> {
 protected:
  // Calls check(h with free coordinates, h without, v, how many are free).
  void for_many_cases(auto&& check) const {
    std::uint64_t stream = 0;
    for (const std::size_t seen : {1u, 4u, 12u})
      for (const std::size_t free : {1u, 3u})
        for (const AnyRegularizer& h : GetParam().examples(seen))
          for (const double scale : {1e-3, 1.0, 1e3}) {
            const Vector v = random_vector(Random(61).stream(stream++), seen + free, scale);
            check(h.bound(seen + free, free), h.bound(seen), v, free);
          }
  }
};

INSTANTIATE_TEST_SUITE_P(All, FreeLaws, ::testing::ValuesIn(regularizer_subjects()), subject_name);

Vector first(const Vector& v, std::size_t count) { return {v.begin(), v.begin() + count}; }

TEST_P(FreeLaws, ValueAndConjugateLookAtTheOthersAlone) {
  for_many_cases(
      [](const AnyRegularizer& h, const AnyRegularizer& whole, const Vector& v, std::size_t free) {
        const Vector seen = first(v, v.size() - free);
        EXPECT_EQ(h.value(v), whole.value(seen));
        EXPECT_EQ(h.strength_max(v), whole.strength_max(seen));
        ASSERT_EQ(h.has_conjugate(), whole.has_conjugate());
        if (!h.has_conjugate()) return;
        EXPECT_EQ(h.conjugate(v), whole.conjugate(seen));
        EXPECT_EQ(h.dual_scales(v), whole.dual_scales(seen));
      });
}

TEST_P(FreeLaws, TheProxLeavesTheFreeOnesAlone) {
  for_many_cases(
      [](const AnyRegularizer& h, const AnyRegularizer& whole, const Vector& v, std::size_t free) {
        for (const double eta : {0.0, 0.4, 50.0}) {
          Vector expected = prox_of(whole, first(v, v.size() - free), eta);
          expected.insert(expected.end(), v.end() - static_cast<std::ptrdiff_t>(free), v.end());
          EXPECT_EQ(prox_of(h, v, eta), expected);
        }
      });
}

TEST_P(FreeLaws, KeysOfFreeCoordinatesAreLeftAloneInAnyOrder) {
  if (GetParam().separable)
    for_many_cases([](const AnyRegularizer& h, const AnyRegularizer& whole, const Vector& v,
                      std::size_t free) {
      const std::size_t seen = v.size() - free;
      std::vector<Key> keys;
      for (std::size_t i = 0; i < v.size(); ++i)  // from the last, and to and fro
        keys.push_back(static_cast<Key>(i % 2 == 0 ? v.size() - 1 - i / 2 : i / 2));
      Vector after, stepped, steps;
      for (std::size_t i = 0; i < v.size(); ++i) {
        after.push_back(v[keys[i]]);
        steps.push_back(0.1 * static_cast<double>(i));
      }
      stepped = after;
      h.prox_after(keys, after, steps);
      h.prox_each(keys, stepped, steps);
      for (std::size_t i = 0; i < v.size(); ++i) {
        Vector one_after = {v[keys[i]]}, one_stepped = one_after;
        if (keys[i] < seen) {
          whole.prox_after(std::span(keys).subspan(i, 1), one_after, Vector{steps[i]});
          whole.prox_each(std::span(keys).subspan(i, 1), one_stepped, Vector{steps[i]});
        }
        EXPECT_EQ(after[i], one_after[0]);
        EXPECT_EQ(stepped[i], one_stepped[0]);
      }
      EXPECT_EQ(h.lazy_time(0.3), whole.lazy_time(0.3));
      Vector inside = prox_of(h, v, 1), listed;
      for (const Key key : keys) listed.push_back(inside[key]);
      EXPECT_NEAR(h.value_each(keys, listed), h.value(inside), 1e-13 * (1 + h.value(inside)));
    });
}

TEST_P(FreeLaws, AllElseIsAsItWasButTheLargestNorm) {
  for_many_cases(
      [](const AnyRegularizer& h, const AnyRegularizer& whole, const Vector& v, std::size_t free) {
        EXPECT_EQ(h.name(), whole.name());
        EXPECT_EQ(h.structure(), whole.structure());
        EXPECT_EQ(h.indicator(), whole.indicator());
        EXPECT_EQ(h.norm_max(), std::nullopt);
        // Bound again without free coordinates, there are none.
        const AnyRegularizer again = h.bound(v.size() - free);
        EXPECT_EQ(again.norm_max(), whole.norm_max());
      });
}

TEST(Free, MoreThanThereAreIsABug) {
  EXPECT_THROW(AnyRegularizer(L1{.lambda = 1}).bound(1, 2), BugError);
}

TEST(Free, AllCoordinatesMayBe) {
  const AnyRegularizer h = AnyRegularizer(L1{.lambda = 1}).bound(2, 2);
  EXPECT_EQ(prox_of(h, {3, -1}, 1), (Vector{3, -1}));
  EXPECT_EQ(h.value(Vector{3, -1}), 0);
}

}  // namespace
}  // namespace asynprox
