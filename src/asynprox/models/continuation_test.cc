#include "asynprox/models/continuation.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/models/user_units.h"

namespace asynprox {
namespace {

std::string error_of(const FittedModel& saved, const NextRun& next) {
  try {
    continued(saved, next);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

FittedModel treated() {
  return {.loss = "squared",
          .x = {0.1, 0.7},
          .intercept = {0.3},
          .column_scale = {3, 0.7},
          .center = {0.123, 4.56},
          .feature_names = {"a", "b"}};
}

// The same with zeros, as a run has it before it begins.
FittedModel zeros_like(FittedModel model) {
  model.x.assign(model.x.size(), 0);
  model.intercept.clear();
  return model;
}

TEST(Continued, HasTheSameBitsWhereNothingChanged) {
  EXPECT_EQ(continued(treated(), {zeros_like(treated()), /*intercept=*/true}),
            (Vector{0.1, 0.7, 0.3}));
  const FittedModel plain{.loss = "pca", .x = {0.1, -0.2}};
  EXPECT_EQ(continued(plain, {zeros_like(plain), /*intercept=*/false}), plain.x);
}

TEST(Continued, HasTheSameScoresUnderAnotherTreatment) {
  FittedModel next = zeros_like(treated());
  next.column_scale = {0.5, 2};
  next.center = {};
  const Vector x = continued(treated(), {next, /*intercept=*/true});
  next.x = {x[0], x[1]};
  next.intercept = {x[2]};
  const UserUnits before = in_user_units(treated()), after = in_user_units(next);
  for (std::size_t j = 0; j < 2; ++j)
    EXPECT_NEAR(after.coefficients[j], before.coefficients[j], 1e-15);
  EXPECT_NEAR(after.intercepts[0], before.intercepts[0], 1e-15);
}

TEST(Continued, MatchesFeaturesByTheirNames) {
  FittedModel next = zeros_like(treated());
  next.feature_names = {"b", "a"};
  next.column_scale = {0.7, 3};
  next.center = {4.56, 0.123};
  EXPECT_EQ(continued(treated(), {next, /*intercept=*/true}), (Vector{0.7, 0.1, 0.3}));
  next.feature_names = {"b", "c"};
  EXPECT_EQ(error_of(treated(), {next, true}),
            "expected a model of the data's features, got none of 'c'");
}

TEST(Continued, KeepsTheOutputsOfAFeatureTogether) {
  const FittedModel saved{.loss = "multinomial",
                          .outputs = 2,
                          .x = {1, 2, 3, 4},
                          .classes = {0, 1},
                          .label_names = {"cat", "dog"},
                          .feature_names = {"a", "b"}};
  FittedModel next = zeros_like(saved);
  next.feature_names = {"b", "a"};
  EXPECT_EQ(continued(saved, {next, /*intercept=*/true}), (Vector{3, 4, 1, 2, 0, 0}));
  next.label_names = {"cat", "owl"};
  EXPECT_EQ(error_of(saved, {next, true}),
            "expected a model of the labels 'cat', 'owl', got the labels 'cat', 'dog'");
}

TEST(Continued, RefusesWhatItCannotExpress) {
  const FittedModel saved = treated();
  FittedModel next = zeros_like(saved);
  EXPECT_EQ(error_of(saved, {next, /*intercept=*/false}),
            "expected a model without a constant part, because this run fits no intercept "
            "(--intercept), got one with an intercept, or of centred columns");
  next.normalize_rows = true;
  EXPECT_EQ(error_of(saved, {next, true}),
            "expected a model of normalised rows, got one that was fitted without --normalize "
            "rows");
  EXPECT_EQ(error_of(saved, {{.loss = "squared", .x = {0}}, true}),
            "expected a model of 1 features, got 2");
  EXPECT_EQ(error_of(saved, {{.loss = "logistic", .x = {0, 0}, .labels = SignLabelNames{}}, true}),
            "expected a model of the labels '-1', '1', got no classes");
  FittedModel tiny = zeros_like(saved);
  tiny.column_scale = {1e-310, 1};
  EXPECT_EQ(error_of(saved, {tiny, true}),
            "expected coefficients that are finite in the scale of this run's columns, got inf");
}

TEST(Continued, OfOtherModelsIsTheSameNumbersOrNothing) {
  const FittedModel saved{.loss = "squared",
                          .x = {1, 2, 3, 4, 5},
                          .intercept = {3.5},
                          .model = "factors:rank=0",
                          .features = 5,
                          .ratings = RatingsShape{.num_users = 2, .num_items = 3}};
  FittedModel next = saved;
  next.model = "factors:rank=0.0";
  EXPECT_EQ(continued(saved, {next, /*intercept=*/false}), saved.x);
  next.intercept = {3.25};
  EXPECT_EQ(error_of(saved, {next, false}),
            "expected factors of ratings whose constant b0 is 3.25, got 3.5");
  next.ratings = RatingsShape{.num_users = 3, .num_items = 2};
  EXPECT_EQ(error_of(saved, {next, false}),
            "expected a model of 3 users and 2 items, got 2 users and 3 items");
  next.model = "factors:rank=2";
  EXPECT_EQ(error_of(saved, {next, false}), "expected a model factors:rank=2, got factors:rank=0");
}

}  // namespace
}  // namespace asynprox
