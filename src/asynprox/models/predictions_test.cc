#include "asynprox/models/predictions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/small_models_testing.h"

namespace asynprox {
namespace {

template <class Work>
std::string contract_error_of(Work work) {
  try {
    work();
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Probabilities, OfAScoreAndItsOppositeAddUpToOneAndRise) {
  const FittedModel model = sign_model("logistic");
  double before = 0;
  for (double u = -40; u <= 40; u += 0.37) {
    const Vector p = probabilities(model, Vector{u, -u});
    EXPECT_NEAR(p[0] + p[1], 1, 1e-15);
    EXPECT_GE(p[0], before);
    before = p[0];
  }
}

TEST(Probabilities, KeepTheirDigitsFarFromZero) {
  const Vector p =
      probabilities(sign_model("logistic"), Vector{0, std::log(3.0), -700, 1e300, -1e300});
  EXPECT_EQ(p[0], 0.5);
  EXPECT_DOUBLE_EQ(p[1], 0.75);
  EXPECT_DOUBLE_EQ(p[2], std::exp(-700.0));
  EXPECT_EQ(p[3], 1);
  EXPECT_EQ(p[4], 0);
}

TEST(Probabilities, AreOfTheLogisticAndTheMultinomialLossOnly) {
  for_each_member(AllLosses{}, []<class Loss>(std::type_identity<Loss>) {
    const std::string name(Loss::name);
    const bool knows = name == "logistic" || name == "multinomial";
    const std::string message =
        contract_error_of([&] { probabilities({.loss = name}, Vector{1}); });
    EXPECT_EQ(has_probabilities({.loss = name}), knows);
    EXPECT_EQ(message, knows ? "no error"
                             : "probability: expected a model of the loss logistic or multinomial, "
                               "got one of " +
                                   name);
  });
}

TEST(Probabilities, OfClassesAreASoftmaxThatNeitherOverflowsNorDependsOnAShift) {
  const FittedModel model = class_model();
  const Vector p = probabilities(model, Vector{0, std::log(2.0), std::log(5.0), 7, 7, 7});
  EXPECT_DOUBLE_EQ(p[0], 1.0 / 8);
  EXPECT_DOUBLE_EQ(p[1], 2.0 / 8);
  EXPECT_DOUBLE_EQ(p[2], 5.0 / 8);
  for (std::size_t c = 3; c < 6; ++c) EXPECT_DOUBLE_EQ(p[c], 1.0 / 3);
  EXPECT_EQ(probabilities(model, Vector{1e308, -1e308, 0}), (Vector{1, 0, 0}));
  EXPECT_EQ(probabilities(model, Vector{1001, 1002, 1003}), probabilities(model, Vector{1, 2, 3}));
}

// Of two classes, u_1 - u_0 is the score of the logistic loss.
TEST(Probabilities, OfTwoClassesAreThoseOfSigns) {
  const FittedModel two{.loss = "multinomial", .outputs = 2, .classes = {3, 8}};
  for (double u = -40; u <= 40; u += 0.37) {
    const double p = probabilities(sign_model("logistic"), Vector{u})[0];
    EXPECT_NEAR(probabilities(two, Vector{1 - u / 2, 1 + u / 2})[1] / p, 1, 1e-14);
  }
}

TEST(PredictedLabels, AreTheModelsOwnForSignsAndScoresForNumbers) {
  const Vector u = {-2, -0.0, 0, 1e-300, 5};
  for_each_member(AllLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const bool of_signs = Loss::labels == Labels::signs;
    if (Loss::labels == Labels::classes || Loss::name == "poisson") return;
    FittedModel model = sign_model(std::string(Loss::name));
    if (!of_signs) model.labels.reset();
    EXPECT_EQ(predicted_labels(model, u), of_signs ? (Vector{3, 3, 3, 8, 8}) : u) << Loss::name;
  });
}

TEST(PredictedLabels, OfPoissonAreExpectedCounts) {
  EXPECT_EQ(predicted_labels({.loss = "poisson"}, Vector{0, 2}), (Vector{1, std::exp(2.0)}));
}

TEST(PredictedLabels, OfClassesAreThoseOfTheLargestScoreAndOfTiesTheFirst) {
  EXPECT_EQ(predicted_labels(class_model(), Vector{1, 2, 3, 3, 2, 1, 0, 5, 5, 4, 4, 4}),
            (Vector{9, 7, -2, 7}));
  EXPECT_EQ(largest_places(Vector{1, 2, 2, -1, -1, -5}, 3), (std::vector<std::size_t>{1, 0}));
}

TEST(LabelText, IsTheNameWhereLabelsAreText) {
  FittedModel model = class_model();
  EXPECT_EQ(label_text(model, -2), "-2");
  EXPECT_EQ(label_text(model, 0.1), "0.1");
  model.label_names = {"cat", "dog", "owl"};
  EXPECT_EQ(label_text(model, 2), "owl");
}

TEST(PredictionText, OfOneAgainstTheRestNamesNoneOfTheRest) {
  FittedModel model = sign_model("logistic");
  EXPECT_EQ(prediction_text(model, 3), "3");
  EXPECT_EQ(prediction_text(model, 8), "8");
  model.labels->one_against_rest = true;
  EXPECT_EQ(prediction_text(model, 3), "not 8");
  EXPECT_EQ(prediction_text(model, 8), "8");
  model = {.loss = "logistic",
           .labels = SignLabelNames{.negative = 0, .positive = 2, .one_against_rest = true},
           .label_names = {"cat", "dog", "owl"}};
  EXPECT_EQ(prediction_text(model, 0), "not owl");
  EXPECT_EQ(prediction_text(model, 2), "owl");
}

}  // namespace
}  // namespace asynprox
