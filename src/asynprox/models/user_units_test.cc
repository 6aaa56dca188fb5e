#include "asynprox/models/user_units.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/models/scores.h"

namespace asynprox {
namespace {

TEST(UserUnits, UndoScalesAndCentres) {
  // u = (2 z_1 - 5) 10 + (0.5 z_2 - 1) 4 + 7
  const UserUnits units = in_user_units({.loss = "squared",
                                         .x = {10, 4},
                                         .intercept = {7},
                                         .column_scale = {2, 0.5},
                                         .center = {5, 1}});
  EXPECT_EQ(units.coefficients, (Vector{20, 2}));
  EXPECT_EQ(units.intercepts, (Vector{7 - 50 - 4}));
}

TEST(UserUnits, AreOfEachOutputAndNothingElseWhereNothingIsTreated) {
  const UserUnits units = in_user_units({.loss = "multinomial",
                                         .outputs = 2,
                                         .x = {1, 2, 3, 4},
                                         .center = {1, 10},
                                         .classes = {0, 1}});
  EXPECT_EQ(units.coefficients, (Vector{1, 2, 3, 4}));
  EXPECT_EQ(units.intercepts, (Vector{-31, -42}));
  EXPECT_EQ(in_user_units({.loss = "pca", .x = {1, 2}}).intercepts, (Vector{0}));
}

// The scores of a table are those of the model, for rows of any length.
TEST(UserUnits, GiveTheScoresOfTheModel) {
  const FittedModel model{.loss = "squared",
                          .x = {1.5, -2, 0.25},
                          .intercept = {0.75},
                          .normalize_rows = true,
                          .column_scale = {3, 0.1, 7},
                          .center = {0.2, -0.4, 0.1}};
  const CsrMatrix matrix{
      .num_columns = 3, .offsets = {0, 3}, .columns = {0, 1, 2}, .values = {2, 3, 6}};
  const double u = scores(model, {.name = "test", .rows = Rows::narrowed(matrix)}).u.at(0);
  const auto [w, v] = in_user_units(model);
  EXPECT_NEAR((2 * w[0] + 3 * w[1] + 6 * w[2]) / 7 + v[0], u, 1e-14);
}

TEST(UserUnits, AreOfLinearModelsOnly) {
  EXPECT_THROW(in_user_units({.loss = "squared",
                              .x = Vector(5),
                              .model = "factors:rank=0",
                              .features = 5,
                              .ratings = RatingsShape{.num_users = 2, .num_items = 3}}),
               ContractError);
}

}  // namespace
}  // namespace asynprox
