// What every regulariser must satisfy. One that joins the list is tested without a change here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asynprox/regularizers/regularizer_laws_testing.h"
#include "asynprox/regularizers/regularizer_subjects_testing.h"

namespace asynprox {
namespace {

class RegularizerLaws : public ::testing::TestWithParam<RegularizerSubject> {};

INSTANTIATE_TEST_SUITE_P(All, RegularizerLaws, ::testing::ValuesIn(regularizer_subjects()),
                         subject_name);

TEST_P(RegularizerLaws, IsNowhereNegativeAndFiniteOnlyWithinItsLargestNorm) {
  regularizer_laws::is_nowhere_negative_and_finite_only_within_its_largest_norm(
      GetParam().examples);
}

TEST_P(RegularizerLaws, NoOtherPointIsBetterThanTheProx) {
  regularizer_laws::no_other_point_is_better_than_the_prox(GetParam().examples);
}

TEST_P(RegularizerLaws, TheProxSatisfiesItsVariationalInequality) {
  regularizer_laws::the_prox_satisfies_its_variational_inequality(GetParam().examples);
}

TEST_P(RegularizerLaws, TheProxIsFirmlyNonexpansive) {
  regularizer_laws::the_prox_is_firmly_nonexpansive(GetParam().examples);
}

TEST_P(RegularizerLaws, ANullStepProjectsOntoWhereHIsFinite) {
  regularizer_laws::a_null_step_projects_onto_where_h_is_finite(GetParam().examples);
}

TEST_P(RegularizerLaws, AnIndicatorProjectsAtEveryStep) {
  regularizer_laws::an_indicator_projects_at_every_step(GetParam().examples);
}

TEST_P(RegularizerLaws, IsConvexAndNowhereNegative) {
  regularizer_laws::is_convex_and_nowhere_negative(GetParam().examples);
}

TEST_P(RegularizerLaws, HugeEntriesAndStepsGiveNoNan) {
  regularizer_laws::huge_entries_and_steps_give_no_nan(GetParam().examples);
}

TEST_P(RegularizerLaws, ANanComesOutAsANan) {
  regularizer_laws::a_nan_comes_out_as_a_nan(GetParam().examples);
}

TEST_P(RegularizerLaws, TakesEmptyVectors) {
  regularizer_laws::takes_empty_vectors(GetParam().examples);
}

TEST_P(RegularizerLaws, OneCoordinateAtATimeEqualsAllAtOnce) {
  regularizer_laws::one_coordinate_at_a_time_equals_all_at_once(GetParam().examples);
}

TEST_P(RegularizerLaws, OnlySeparableOnesHaveALazyForm) {
  for (const AnyRegularizer& h : bound(GetParam().examples, 3)) {
    EXPECT_EQ(h.name(), GetParam().name);
    EXPECT_EQ(h.separable(), GetParam().separable);
    if (h.separable()) continue;
    EXPECT_THROW(h.lazy_time(1), BugError);
  }
}

}  // namespace
}  // namespace asynprox
