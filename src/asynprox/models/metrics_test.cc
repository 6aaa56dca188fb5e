#include "asynprox/models/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/base/spec.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/area_under_curve.h"
#include "asynprox/models/evaluation.h"

namespace asynprox {
namespace {

// One column: with x = (1) a sample's score is its value.
Dataset data_of_scores(const Vector& u, Vector labels) {
  CsrMatrix matrix{.num_columns = 1};
  for (const double u_i : u) {
    matrix.columns.push_back(0);
    matrix.values.push_back(u_i);
    matrix.offsets.push_back(matrix.columns.size());
  }
  return {.name = "test", .rows = Rows::narrowed(matrix), .labels = std::move(labels)};
}

FittedModel model_of(const std::string& loss) {
  FittedModel model{.loss = loss, .x = {1}};
  if (make_loss(parse_spec(loss)).labels() == Labels::signs) model.labels = SignLabelNames{};
  return model;
}

// An output a column: with the identity for x a sample's scores are its values.
FittedModel class_model(std::size_t outputs) {
  FittedModel model{.loss = "multinomial", .outputs = outputs, .x = Vector(outputs * outputs)};
  for (std::size_t c = 0; c < outputs; ++c) {
    model.x[c * outputs + c] = 1;
    model.classes.push_back(static_cast<double>(c));
  }
  return model;
}

Dataset data_of_score_rows(const std::vector<Vector>& u, Vector labels) {
  CsrMatrix matrix{.num_columns = u.front().size()};
  for (const Vector& row : u) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      matrix.columns.push_back(static_cast<Key>(c));
      matrix.values.push_back(row[c]);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return {.name = "test", .rows = Rows::narrowed(matrix), .labels = std::move(labels)};
}

std::string data_error_of(const FittedModel& model, const Dataset& data) {
  try {
    evaluate(model, data);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

// Every pair of a positive and a negative sample, compared.
std::optional<double> slow_area(const Vector& u, const Vector& signs, const Vector& weights) {
  double won = 0, pairs = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t j = 0; j < u.size(); ++j) {
      if (signs[i] < 0 || signs[j] > 0) continue;
      const double weight = weights.empty() ? 1 : weights[i] * weights[j];
      pairs += weight;
      won += weight * (u[i] > u[j] ? 1 : u[i] == u[j] ? 0.5 : 0);
    }
  }
  return pairs > 0 ? std::optional(won / pairs) : std::nullopt;
}

struct Drawn {
  Vector u, signs, weights;
};

// Scores are whole numbers below num_scores: the fewer, the more ties.
Drawn drawn(std::uint64_t seed, std::uint64_t num_samples, std::uint64_t num_scores) {
  const Random random(seed);
  Drawn samples;
  for (std::uint64_t draw = 0; draw < 3 * num_samples; draw += 3) {
    samples.u.push_back(static_cast<double>(random.index_at(draw, num_scores)) - 2);
    samples.signs.push_back(random.index_at(draw + 1, 3) == 0 ? 1 : -1);
    samples.weights.push_back(static_cast<double>(random.index_at(draw + 2, 4)));
  }
  return samples;
}

TEST(AreaUnderCurve, EqualsTheComparisonOfEveryPair) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Drawn samples = drawn(seed, /*num_samples=*/1 + seed, /*num_scores=*/1 + seed % 12);
    // Counts are whole: both ways give the same bits.
    EXPECT_EQ(area_under_curve(samples.u, samples.signs), slow_area(samples.u, samples.signs, {}));
    EXPECT_EQ(area_under_curve(samples.u, samples.signs, samples.weights),
              slow_area(samples.u, samples.signs, samples.weights));
  }
}

TEST(AreaUnderCurve, DependsOnTheOrderOfTheScoresAlone) {
  const Drawn samples = drawn(/*seed=*/9, /*num_samples=*/200, /*num_scores=*/50);
  Vector stretched = samples.u, reversed = samples.u;
  for (double& u_i : stretched) u_i = std::exp(u_i / 10);
  for (double& u_i : reversed) u_i = -u_i;
  const double area = *area_under_curve(samples.u, samples.signs);
  EXPECT_EQ(area_under_curve(stretched, samples.signs), area);
  EXPECT_NEAR(*area_under_curve(reversed, samples.signs), 1 - area, 1e-15);
}

TEST(AreaUnderCurve, CountsTiesHalfAndIsNoneOfOneClass) {
  const Vector u = {1, 2, 2, 3};
  EXPECT_EQ(area_under_curve(u, Vector{-1, -1, 1, 1}), 3.5 / 4);
  EXPECT_EQ(area_under_curve(Vector{0.0, -0.0}, Vector{-1, 1}), 0.5);
  EXPECT_EQ(area_under_curve(u, Vector{1, 1, 1, 1}), std::nullopt);
  EXPECT_EQ(area_under_curve(u, Vector{-1, -1, -1, -1}), std::nullopt);
  EXPECT_EQ(area_under_curve({}, {}), std::nullopt);
}

TEST(Evaluate, GivesTheMeanOfEveryLossAndTheMetricsOfItsKind) {
  const Vector u = {-1.5, 0.25, 2, -0.5}, labels = {-1, 1, -1, 1};
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    double total = 0;
    for (std::size_t i = 0; i < u.size(); ++i) total += Loss{}.value(u[i], labels[i]);
    const Metrics metrics = evaluate(model_of(std::string(Loss::name)), data_of_scores(u, labels));
    EXPECT_DOUBLE_EQ(metrics.loss, total / 4) << Loss::name;
    EXPECT_EQ(metrics.samples, 4U);
    EXPECT_EQ(metrics.signs.has_value(), Loss::labels == Labels::signs) << Loss::name;
    EXPECT_EQ(metrics.classes.has_value(), Loss::labels == Labels::signs) << Loss::name;
    EXPECT_EQ(metrics.numbers.has_value(), Loss::labels == Labels::number) << Loss::name;
    EXPECT_EQ(metrics.explained_variance.has_value(), Loss::name == PcaLoss::name) << Loss::name;
  });
}

TEST(Evaluate, TakesAWholeWeightForThatManyCopies) {
  const Vector u = {-1.5, 0.25, 2, -0.5}, labels = {-1, 1, -1, 1};
  Dataset weighted = data_of_scores(u, labels);
  weighted.weights = {1, 3, 0, 2};
  const Dataset copied = data_of_scores({u[0], u[1], u[1], u[1], u[3], u[3]}, {-1, 1, 1, 1, 1, 1});
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const FittedModel model = model_of(std::string(Loss::name));
    const Metrics a = evaluate(model, weighted), b = evaluate(model, copied);
    EXPECT_DOUBLE_EQ(a.loss, b.loss) << Loss::name;
    if (a.classes) {
      EXPECT_DOUBLE_EQ(a.classes->accuracy, b.classes->accuracy);
      EXPECT_DOUBLE_EQ(a.classes->balanced_accuracy, b.classes->balanced_accuracy);
      EXPECT_EQ(a.classes->auc, b.classes->auc);
      EXPECT_EQ(a.classes->confusion.rows, b.classes->confusion.rows);
    }
    if (a.numbers) {
      EXPECT_DOUBLE_EQ(a.numbers->rmse, b.numbers->rmse);
      EXPECT_DOUBLE_EQ(a.numbers->mae, b.numbers->mae);
      EXPECT_DOUBLE_EQ(*a.numbers->r2, *b.numbers->r2);
    }
    if (a.explained_variance) {
      EXPECT_DOUBLE_EQ(*a.explained_variance, *b.explained_variance);
    }
  });
}

TEST(Evaluate, MatchesLabelsToTheModelsOwnNames) {
  FittedModel model = model_of("squared-hinge");
  model.labels = SignLabelNames{.negative = 7, .positive = 2};
  const Metrics metrics = evaluate(model, data_of_scores({1, 0, -1, 3, 5}, {2, 2, 7, 7, 2}));
  // The second is a tie, and so called negative.
  EXPECT_DOUBLE_EQ(metrics.classes->accuracy, 3.0 / 5);
  EXPECT_DOUBLE_EQ(metrics.classes->balanced_accuracy, (2.0 / 3 + 1.0 / 2) / 2);
  EXPECT_EQ(metrics.classes->auc, (1 + 1 + 2) / 6.0);
  EXPECT_EQ(metrics.classes->confusion.labels, (std::vector<std::string>{"7", "2"}));
  EXPECT_EQ(metrics.classes->confusion.rows, (std::vector<Vector>{{1, 1}, {1, 2}}));
  EXPECT_EQ(metrics.signs->positives, 3U);
  EXPECT_EQ(metrics.signs->negatives, 2U);
}

TEST(Evaluate, CountsEachClassOnceInTheBalancedAccuracyIfItOccurs) {
  const ClassMetrics metrics =
      *evaluate(class_model(4),
                data_of_score_rows({{3, 1, 0, 0}, {1, 1, 0, 0}, {0, 2, 0, 1}, {9, 0, 0, 0}},
                                   {0, 0, 0, 3}))
           .classes;
  EXPECT_DOUBLE_EQ(metrics.accuracy, 2.0 / 4);
  EXPECT_DOUBLE_EQ(metrics.balanced_accuracy, (2.0 / 3 + 0) / 2);
  EXPECT_EQ(metrics.auc, std::nullopt);
  EXPECT_EQ(metrics.confusion.rows,
            (std::vector<Vector>{{2, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}}));
}

TEST(Evaluate, GivesTheLogOfTheProbabilityThatClassesHad) {
  FittedModel model = class_model(3);
  model.label_names = {"cat", "dog", "owl"};
  Dataset data = data_of_score_rows({{0, std::log(2.0), std::log(5.0)}, {1, 1, 1}}, {1, 0});
  data.label_names = {"cat", "owl"};
  data.weights = {3, 1};
  const Metrics metrics = evaluate(model, data);
  const double expected = (3 * std::log(8.0 / 5) + std::log(3.0)) / 4;
  EXPECT_NEAR(metrics.loss, expected, 1e-15);
  EXPECT_NEAR(*metrics.classes->log_loss, expected, 1e-15);
  EXPECT_EQ(metrics.classes->confusion.labels, model.label_names);
}

// u_1 - u_0 is the score of the second class.
TEST(Evaluate, SaysTheSameOfTwoClassesAsOfSigns) {
  const Drawn samples = drawn(/*seed=*/4, /*num_samples=*/100, /*num_scores=*/20);
  std::vector<Vector> u;
  Vector labels;
  for (std::size_t i = 0; i < samples.u.size(); ++i) {
    u.push_back({2 - samples.u[i] / 2, 2 + samples.u[i] / 2});
    labels.push_back(samples.signs[i] > 0 ? 1 : 0);
  }
  Dataset of_signs = data_of_scores(samples.u, samples.signs),
          of_classes = data_of_score_rows(u, labels);
  of_signs.weights = of_classes.weights = samples.weights;
  const Metrics a = evaluate(model_of("logistic"), of_signs),
                b = evaluate(class_model(2), of_classes);
  EXPECT_NEAR(*a.classes->log_loss, *b.classes->log_loss, 1e-14);
  EXPECT_EQ(a.classes->auc, b.classes->auc);
  EXPECT_EQ(a.classes->accuracy, b.classes->accuracy);
  EXPECT_EQ(a.classes->balanced_accuracy, b.classes->balanced_accuracy);
  EXPECT_EQ(a.classes->confusion.rows, b.classes->confusion.rows);
}

TEST(Evaluator, GivesTheSameBitsHoweverTheDataIsCut) {
  const Drawn samples = drawn(/*seed=*/8, /*num_samples=*/97, /*num_scores=*/30);
  const auto part = [&](std::size_t first, std::size_t last) {
    const auto cut = [&](const Vector& all) {
      return Vector(all.begin() + static_cast<std::ptrdiff_t>(first),
                    all.begin() + static_cast<std::ptrdiff_t>(last));
    };
    Dataset data = data_of_scores(cut(samples.u), cut(samples.signs));
    data.weights = cut(samples.weights);
    return data;
  };
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const FittedModel model = model_of(std::string(Loss::name));
    const Figures whole = figures(evaluate(model, part(0, 97)));
    for (const std::size_t size : {1, 10, 96}) {
      Evaluator evaluation(model);
      for (std::size_t first = 0; first < 97; first += size)
        evaluation.add(part(first, std::min<std::size_t>(first + size, 97)));
      EXPECT_EQ(figures(evaluation.metrics()), whole) << Loss::name;
    }
  });
}

TEST(Evaluator, CountsColumnsThatAreIgnoredInSeveralBlocksOnce) {
  const FittedModel model{.loss = "squared", .x = {1}};
  Evaluator evaluation(model);
  evaluation.add(data_of_score_rows({{1, 2, 3}}, {1}));
  evaluation.add(data_of_score_rows({{1, 2}}, {1}));
  EXPECT_EQ(evaluation.metrics().columns_ignored, 2U);
}

TEST(Evaluator, NamesSamplesByTheirNumberInAllBlocks) {
  const FittedModel model = model_of("logistic");
  Evaluator evaluation(model);
  evaluation.add(data_of_scores({1, 2}, {1, -1}));
  try {
    evaluation.add(data_of_scores({1, 2}, {1, 0}));
    FAIL() << "added";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "test: sample 4: expected label -1 or 1 (the model's), got 0");
  }
}

TEST(Evaluate, MeasuresCountsByTheirExpectation) {
  const NumberMetrics metrics =
      *evaluate(model_of("poisson"), data_of_scores({0, std::log(3.0)}, {2, 0})).numbers;
  EXPECT_DOUBLE_EQ(metrics.rmse, std::sqrt((1 + 9) / 2.0));
  EXPECT_DOUBLE_EQ(metrics.mae, 2);
  EXPECT_DOUBLE_EQ(*metrics.poisson_deviance, (2 * (2 * std::log(2.0) - 1) + 2 * 3) / 2);
  EXPECT_EQ(evaluate(model_of("squared"), data_of_scores({1, 2}, {2, 0})).numbers->poisson_deviance,
            std::nullopt);
}

TEST(Evaluate, HasNoPoissonDevianceOfNegativeCounts) {
  const Metrics metrics = evaluate(model_of("poisson"), data_of_scores({1, 2}, {-1, 3}));
  EXPECT_EQ(metrics.numbers->poisson_deviance, std::nullopt);
  EXPECT_EQ(figures(metrics).back(), (Figures::value_type{"poisson_deviance", std::nullopt}));
}

// It is zero where the expectation is the label, and positive elsewhere.
TEST(Evaluate, HasNoPoissonDevianceWhereTheCountsAreExpected) {
  const Vector y = {1, 2, 7, 30};
  Vector u;
  for (const double y_i : y) u.push_back(std::log(y_i));
  EXPECT_NEAR(*evaluate(model_of("poisson"), data_of_scores(u, y)).numbers->poisson_deviance, 0,
              1e-14);
  u[2] += 0.1;
  EXPECT_GT(*evaluate(model_of("poisson"), data_of_scores(u, y)).numbers->poisson_deviance, 1e-3);
}

TEST(Evaluate, CallsTheRestNotThePositiveLabel) {
  FittedModel model = model_of("logistic");
  model.labels = SignLabelNames{.negative = 0, .positive = 3, .one_against_rest = true};
  EXPECT_EQ(evaluate(model, data_of_scores({1, -1}, {3, 1})).classes->confusion.labels,
            (std::vector<std::string>{"not 3", "3"}));
}

TEST(Evaluate, HasNoAreaWhereAllSamplesAreOfOneClass) {
  const Metrics metrics = evaluate(model_of("logistic"), data_of_scores({1, -1}, {1, 1}));
  EXPECT_EQ(metrics.classes->auc, std::nullopt);
  EXPECT_EQ(metrics.classes->accuracy, 0.5);
}

TEST(Evaluate, NamesALabelThatTheModelDoesNotKnow) {
  FittedModel model = model_of("logistic");
  const Dataset data = data_of_scores({1, 1, 1}, {1, -1, 0.5});
  EXPECT_EQ(data_error_of(model, data),
            "test: sample 3: expected label -1 or 1 (the model's), got 0.5");
  model.labels->one_against_rest = true;
  EXPECT_EQ(evaluate(model, data).signs->negatives, 2U);
}

TEST(Evaluate, NeedsSamples) {
  EXPECT_EQ(data_error_of(model_of("pca"), data_of_scores({}, {})),
            "test: expected samples, got none");
}

TEST(Evaluate, MeasuresResidualsOfNumbers) {
  const NumberMetrics metrics =
      *evaluate(model_of("squared"), data_of_scores({1, 2, 6}, {1, 4, 4})).numbers;
  EXPECT_DOUBLE_EQ(metrics.rmse, std::sqrt(8.0 / 3));
  EXPECT_DOUBLE_EQ(metrics.mae, 4.0 / 3);
  EXPECT_DOUBLE_EQ(*metrics.r2, 1 - 8.0 / 6);  // the labels vary by 4 + 1 + 1 about 3
}

TEST(Evaluate, HasNoR2WhereLabelsAreConstantThoughTheirMeanIsRounded) {
  const Metrics metrics =
      evaluate(model_of("huber:delta=1.5"), data_of_scores(Vector(10, 1), Vector(10, 0.1)));
  EXPECT_EQ(metrics.numbers->r2, std::nullopt);
  EXPECT_DOUBLE_EQ(metrics.numbers->rmse, 0.9);
}

TEST(Evaluate, ExplainsAllVarianceOfDataOnALineAlongXAndNoneAcross) {
  const Dataset line{.name = "line",
                     .rows = Rows::narrowed({.num_columns = 2,
                                             .offsets = {0, 2, 4},
                                             .columns = {0, 1, 0, 1},
                                             .values = {3, 4, -6, -8}})};
  for (const bool normalize_rows : {false, true}) {
    FittedModel model{.loss = "pca", .x = {0.6, 0.8}, .normalize_rows = normalize_rows};
    EXPECT_DOUBLE_EQ(*evaluate(model, line).explained_variance, 1);
    model.x = {0.8, -0.6};
    EXPECT_NEAR(*evaluate(model, line).explained_variance, 0, 1e-15);
    model.x = {1};  // the second column is ignored, but its variance is there
    EXPECT_DOUBLE_EQ(*evaluate(model, line).explained_variance, 9.0 / 25);
    EXPECT_EQ(evaluate(model, line).columns_ignored, 1U);
  }
}

// Two points on a line through their middle, which is not the origin.
TEST(Evaluate, ExplainsTheVarianceAboutTheCentre) {
  Dataset line{.name = "line",
               .rows = Rows::narrowed({.num_columns = 2,
                                       .offsets = {0, 2, 4},
                                       .columns = {0, 1, 0, 1},
                                       .values = {5 + 3, 7 + 4, 5 - 3, 7 - 4}})};
  center_columns(line);
  FittedModel model{.loss = "pca", .x = {0.6, 0.8}, .center = line.center};
  EXPECT_NEAR(*evaluate(model, line).explained_variance, 1, 1e-13);
  model.x = {0.8, -0.6};
  EXPECT_NEAR(*evaluate(model, line).explained_variance, 0, 1e-13);
}

TEST(Evaluate, ExplainsNoShareOfNoVariance) {
  EXPECT_EQ(evaluate(model_of("pca"), data_of_scores({0, 0}, {})).explained_variance, std::nullopt);
}

}  // namespace
}  // namespace asynprox
