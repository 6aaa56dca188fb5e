#include "asynprox/models/features.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/models/metrics.h"

namespace asynprox {
namespace {

using Names = std::vector<std::string>;

// (3, 4), then (0, 5).
Dataset two_rows(Names names) {
  const CsrMatrix matrix{
      .num_columns = 2, .offsets = {0, 2, 3}, .columns = {0, 1, 1}, .values = {3, 4, 5}};
  return {.name = "test",
          .rows = Rows::narrowed(matrix),
          .labels = {0, 0},
          .feature_names = std::move(names)};
}

FittedModel model_of(Names names) {
  return {.loss = "squared", .x = {10, 1}, .feature_names = std::move(names)};
}

std::string error_of(const FittedModel& model, const Dataset& data) {
  try {
    FeatureMatcher(model).moved(data);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FeatureMatcher, LeavesDataAloneThatStandsRight) {
  const FittedModel model = model_of({"age", "size"});
  for (const Names& names : {Names{}, Names{"age", "size"}, Names{"", "size"}}) {
    const Dataset data = two_rows(names);
    FeatureMatcher matcher(model);
    EXPECT_FALSE(matcher.moved(data));
    EXPECT_EQ(matcher.notes().unnamed, names.empty());
    EXPECT_TRUE(matcher.notes().ignored.empty());
  }
  const FittedModel nameless = model_of({});
  FeatureMatcher matcher(nameless);
  EXPECT_FALSE(matcher.moved(two_rows({"size", "age"})));
  EXPECT_FALSE(matcher.notes().unnamed);
}

TEST(FeatureMatcher, BringsColumnsIntoTheModelsOrder) {
  const FittedModel model = model_of({"age", "size"});
  FeatureMatcher matcher(model);
  const Dataset matched = matcher.moved(two_rows({"size", "age"})).value();
  EXPECT_EQ(matched.rows.row(0), (std::vector<RowEntry>{{0, 4}, {1, 3}}));
  EXPECT_EQ(matched.rows.row(1), (std::vector<RowEntry>{{0, 5}}));
  // Blocks after the first have no names, and are like it.
  EXPECT_EQ(matcher.moved(two_rows({})).value().rows.row(1), (std::vector<RowEntry>{{0, 5}}));
  EXPECT_FALSE(matcher.notes().unnamed);
}

TEST(FeatureMatcher, IgnoresColumnsThatTheModelDoesNotHave) {
  const FittedModel model{.loss = "squared", .x = {1}, .feature_names = {"size"}};
  FeatureMatcher matcher(model);
  EXPECT_EQ(matcher.moved(two_rows({"age", "size"})).value().rows.row(0),
            (std::vector<RowEntry>{{0, 4}}));
  EXPECT_EQ(matcher.notes().ignored, (Names{"age"}));
}

TEST(FeatureMatcher, NamesTheColumnsThatAreMissing) {
  const FittedModel model = model_of({"age", "size"});
  EXPECT_EQ(error_of(model, two_rows({"size", "tail"})),
            "test: expected the model's 2 features, got no column 'age'");
}

// A line of CSV has every column: one less is a column that is missing, not a zero.
TEST(FeatureMatcher, RefusesFewerColumnsWhereAllAreSaid) {
  const FittedModel model{.loss = "pca", .x = {1, 2, 3}};
  Dataset data = two_rows({});
  EXPECT_EQ(error_of(model, data), "no error");
  data.all_columns_said = true;
  EXPECT_EQ(error_of(model, data),
            "test: expected the model's 3 features, got 2 (a column is taken for the label; "
            "--label-column none if there is none)");
  const FittedModel small{.loss = "pca", .x = {1}};
  EXPECT_EQ(error_of(small, data), "no error");
}

TEST(Evaluate, DoesNotDependOnTheOrderOfColumnsThatHaveNames) {
  const double loss = evaluate(model_of({"age", "size"}), two_rows({"age", "size"})).loss;
  FittedModel turned = model_of({"size", "age"});
  turned.x = {1, 10};
  EXPECT_EQ(evaluate(turned, two_rows({"age", "size"})).loss, loss);
  EXPECT_EQ(evaluate(turned, two_rows({"age", "size"})).columns_ignored, 0U);
}

}  // namespace
}  // namespace asynprox
