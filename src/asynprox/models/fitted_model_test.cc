#include "asynprox/models/fitted_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/small_models_testing.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string error_of(const FittedModel& model) {
  try {
    check_model(model);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CheckModel, TakesAModelOfEveryLoss) {
  for_each_member(AllLosses{}, []<class Loss>(std::type_identity<Loss>) {
    FittedModel model = class_model();
    model.loss = std::string(Loss::name);
    if (Loss::labels != Labels::classes) model = sign_model(model.loss);
    if (Loss::labels != Labels::signs) model.labels.reset();
    EXPECT_NO_THROW(check_model(model)) << Loss::name;
  });
}

TEST(CheckModel, NamesTheFieldThatIsWrong) {
  EXPECT_TRUE(error_of({}).starts_with("loss: "));
  EXPECT_TRUE(error_of({.loss = "pca", .regularizer = "l1:,"}).starts_with("regularizer: "));
  EXPECT_EQ(error_of({.loss = "pca", .x = {0, kInfinity}}),
            "x[1]: expected a finite number, got inf");
  EXPECT_EQ(error_of({.loss = "logistic"}), "labels: expected two for the loss logistic, got none");
  EXPECT_EQ(error_of({.loss = "pca", .labels = SignLabelNames{}}),
            "labels: expected none for the loss pca, got two");
  EXPECT_EQ(error_of({.loss = "sigmoid", .labels = SignLabelNames{.negative = NAN}}),
            "labels: expected finite numbers, got nan");
  EXPECT_EQ(error_of({.loss = "logistic",
                      .labels = SignLabelNames{.negative = 0, .positive = 0.5},
                      .label_names = {"no", "yes"}}),
            "label_names: expected one for the label 0.5, got those of 0 to 1");
  EXPECT_EQ(error_of({.loss = "pca", .picture = PictureShape{.height = -1, .width = 2}}),
            "picture: expected a height and a width of at least 1, got -1 and 2");
}

TEST(CheckModel, TakesEveryFieldOfASize) {
  const FittedModel model{.loss = "multinomial",
                          .outputs = 2,
                          .x = {1, 2, 3, 4, 5, 6},
                          .intercept = {1, 2},
                          .column_scale = {1, 2, 3},
                          .center = {1, 2, 3},
                          .classes = {1, 0},
                          .label_names = {"a", "b", "c"},
                          .feature_names = {"p", "q", "p"}};
  EXPECT_EQ(error_of(model), "no error");
  const auto with = [&](auto change) {
    FittedModel changed = model;
    change(changed);
    return error_of(changed);
  };
  EXPECT_EQ(with([](FittedModel& m) { m.x.pop_back(); }),
            "x: expected 2 coefficients a feature, got 5");
  EXPECT_EQ(with([](FittedModel& m) { m.intercept = {1}; }),
            "intercept: expected 2 numbers, one per output, got 1");
  EXPECT_EQ(with([](FittedModel& m) { m.intercept[1] = NAN; }),
            "intercept[1]: expected a finite number, got nan");
  EXPECT_EQ(with([](FittedModel& m) { m.column_scale.resize(6); }),
            "column_scale: expected 3 numbers, one per feature, got 6");
  EXPECT_EQ(with([](FittedModel& m) { m.column_scale[0] = kInfinity; }),
            "column_scale[0]: expected a finite number, got inf");
  EXPECT_EQ(with([](FittedModel& m) { m.center.resize(2); }),
            "center: expected 3 numbers, one per feature, got 2");
  EXPECT_EQ(with([](FittedModel& m) { m.feature_names.resize(4); }),
            "feature_names: expected 3 names, one per feature, got 4");
  EXPECT_EQ(with([](FittedModel& m) { m.outputs = 1; }),
            "outputs: expected at least 2 for the loss multinomial, got 1");
  EXPECT_EQ(with([](FittedModel& m) { m.outputs = 0; }),
            "outputs: expected at least 2 for the loss multinomial, got 0");
  EXPECT_EQ(with([](FittedModel& m) { m.loss = "squared"; }),
            "outputs: expected 1 for the loss squared, got 2");
  EXPECT_EQ(with([](FittedModel& m) { m.classes.clear(); }),
            "classes: expected 2 for the loss multinomial, got 0");
  EXPECT_EQ(with([](FittedModel& m) { m.classes = {1, 1}; }),
            "classes: expected different ones, got 1 twice");
  EXPECT_EQ(with([](FittedModel& m) { m.classes = {1, 3}; }),
            "label_names: expected one for the label 3, got those of 0 to 2");
  EXPECT_EQ(with([](FittedModel& m) { m.label_names[2] = "a"; }),
            "label_names: expected different ones, got 'a' twice");
}

}  // namespace
}  // namespace asynprox
