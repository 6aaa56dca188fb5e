#include "asynprox/models/fitted_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Dataset dataset(CsrMatrix matrix) { return {.name = "test", .rows = Rows::narrowed(matrix)}; }

// (3, 4, 0), then (0, 0, 0), then (0, 0, 12).
Dataset three_rows() {
  return dataset(
      {.num_columns = 3, .offsets = {0, 2, 2, 3}, .columns = {0, 1, 2}, .values = {3, 4, 12}});
}

Dataset random_rows(std::size_t num_columns) {
  const Random random(3);
  std::uint64_t draw = 0;
  CsrMatrix matrix{.num_columns = num_columns};
  for (int i = 0; i < 50; ++i) {
    for (std::size_t column = 0; column < num_columns; ++column) {
      if (random.uniform_at(draw++) > 0.4) continue;
      matrix.columns.push_back(static_cast<Key>(column));
      matrix.values.push_back(2 * random.uniform_at(draw++) - 1);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return dataset(std::move(matrix));
}

Vector random_vector(std::size_t size) {
  Vector x(size);
  for (std::size_t j = 0; j < size; ++j) x[j] = 2 * Random(4).uniform_at(j) - 1;
  return x;
}

template <class Work>
std::string contract_error_of(Work work) {
  try {
    work();
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

FittedModel sign_model(const std::string& loss) {
  return {.loss = loss, .x = {1}, .labels = SignLabelNames{.negative = 3, .positive = 8}};
}

TEST(Scores, AreTheSameBitsWhenCoefficientsThatAreZeroAreLeftOut) {
  for (const bool normalize_rows : {false, true}) {
    for (const std::size_t size : {0, 1, 7, 20}) {
      const FittedModel shorter{
          .loss = "pca", .x = random_vector(size), .normalize_rows = normalize_rows};
      FittedModel padded = shorter;
      padded.x.resize(20);
      EXPECT_EQ(scores(shorter, random_rows(20)).u, scores(padded, random_rows(20)).u);
    }
  }
}

TEST(Scores, IgnoreCoefficientsThatTheDataHasNoColumnsFor) {
  FittedModel model{.loss = "pca", .x = random_vector(20)};
  const Vector u = scores(model, random_rows(20)).u;
  model.x.push_back(1e300);
  EXPECT_EQ(scores(model, random_rows(20)).u, u);
  EXPECT_EQ(scores(model, random_rows(20)).columns_ignored, 0U);
}

TEST(Scores, AreTheSameForDataThatIsNormalisedAlready) {
  const FittedModel model{.loss = "pca", .x = random_vector(20), .normalize_rows = true};
  Dataset data = random_rows(20);
  const Vector u = scores(model, data).u;
  normalize_rows(data);
  EXPECT_EQ(scores(model, data).u, u);
}

// (s z - mu)'x, whichever columns the data has, and whether or not it is centred already.
TEST(Scores, AreOfCentredRows) {
  for (const bool normalize : {false, true}) {
    Dataset data = random_rows(20);
    if (normalize) normalize_rows(data);
    center_columns(data);
    const FittedModel plain{.loss = "pca", .x = random_vector(20), .normalize_rows = normalize};
    FittedModel centered = plain;
    centered.center = data.center;
    const double shift = dot(data.center, plain.x);
    for (const std::size_t columns : {std::size_t{20}, std::size_t{12}, std::size_t{31}}) {
      const Dataset other = random_rows(columns);
      Vector expected = scores(plain, other).u;
      for (double& u_i : expected) u_i -= shift;
      EXPECT_EQ(scores(centered, other).u, expected);
    }
    EXPECT_EQ(scores(centered, data).u, scores(centered, random_rows(20)).u);
    double sum = 0;
    for (const double u_i : scores(centered, data).u) sum += u_i;
    EXPECT_NEAR(sum, 0, 1e-13) << "centred scores have mean zero";
  }
}

TEST(SquaredLengths, AreOfCentredRowsAlsoOfColumnsThatTheModelHasNot) {
  const FittedModel model{.loss = "pca", .x = {1, 1}, .center = {1, 2}};
  const Vector squares = squared_lengths(model, three_rows());
  ASSERT_EQ(squares.size(), 3U);
  EXPECT_DOUBLE_EQ(squares[0], 4 + 4);
  EXPECT_DOUBLE_EQ(squares[1], 1 + 4);
  EXPECT_DOUBLE_EQ(squares[2], 1 + 4 + 144);
}

TEST(Scores, AreProductsOfRowsAndCoefficients) {
  const FittedModel model{.loss = "squared", .x = {1, -1, 0.5}};
  EXPECT_EQ(scores(model, three_rows()).u, (Vector{-1, 0, 6}));
  Dataset scaled = three_rows();
  scaled.row_scale = {2, 1, 0.5};
  EXPECT_EQ(scores(model, scaled).u, (Vector{-2, 0, 3}));
}

TEST(Scores, DivideByTheLengthOfTheWholeRowAlsoWhereColumnsAreIgnored) {
  const FittedModel model{.loss = "squared", .x = {1}, .normalize_rows = true};
  const Scores result = scores(model, three_rows());
  EXPECT_DOUBLE_EQ(result.u[0], 3.0 / 5);  // |(3, 4, 0)| = 5, of which x knows the 3
  EXPECT_EQ(result.u[1], 0);
  EXPECT_EQ(result.u[2], 0);
  EXPECT_EQ(result.columns_ignored, 2U);
}

TEST(Scores, CountIgnoredColumnsOnceAndOnlyWhereTheyOccur) {
  const Dataset data = dataset({.num_columns = 4'000'000'000,
                                .offsets = {0, 2, 4, 5},
                                .columns = {0, 3'999'999'999, 0, 3'999'999'999, 70'000},
                                .values = {2, 5, 3, 5, 5}});
  const Scores result = scores({.loss = "pca", .x = {1, 1}}, data);
  EXPECT_EQ(result.u, (Vector{2, 3, 0}));
  EXPECT_EQ(result.columns_ignored, 2U);
}

TEST(Scores, AreNoneOfNoSamples) {
  EXPECT_TRUE(scores({.loss = "pca", .x = {1}}, Dataset{}).u.empty());
}

TEST(Scores, NameTheSampleWhoseScoreIsNotFinite) {
  try {
    scores({.loss = "squared", .x = {0, 0, 1e308}}, three_rows());
    FAIL() << "scored";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "test: sample 3: expected a finite score, got inf");
  }
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

TEST(Probabilities, AreOfTheLogisticLossOnly) {
  for_each_member(AllLosses{}, []<class Loss>(std::type_identity<Loss>) {
    const std::string name(Loss::name);
    const std::string message =
        contract_error_of([&] { probabilities({.loss = name}, Vector{1}); });
    EXPECT_EQ(message, name == "logistic" ? "no error"
                                          : "probability: expected a model of the loss logistic, "
                                            "got one of " +
                                                name);
  });
}

TEST(PredictedLabels, AreTheModelsOwnForSignsAndScoresForTheRest) {
  const Vector u = {-2, -0.0, 0, 1e-300, 5};
  for_each_member(AllLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const bool of_signs = Loss::labels == Labels::signs;
    FittedModel model = sign_model(std::string(Loss::name));
    if (!of_signs) model.labels.reset();
    EXPECT_EQ(predicted_labels(model, u), of_signs ? (Vector{3, 3, 3, 8, 8}) : u) << Loss::name;
  });
}

TEST(CheckModel, TakesAModelOfEveryLoss) {
  for_each_member(AllLosses{}, []<class Loss>(std::type_identity<Loss>) {
    FittedModel model = sign_model(std::string(Loss::name));
    if (Loss::labels != Labels::signs) model.labels.reset();
    EXPECT_NO_THROW(check_model(model)) << Loss::name;
  });
}

TEST(CheckModel, NamesTheFieldThatIsWrong) {
  const auto error_of = [](const FittedModel& model) {
    return contract_error_of([&] { check_model(model); });
  };
  EXPECT_TRUE(error_of({}).starts_with("loss: "));
  EXPECT_TRUE(error_of({.loss = "pca", .regularizer = "l1:,"}).starts_with("regularizer: "));
  EXPECT_EQ(error_of({.loss = "pca", .x = {0, kInfinity}}),
            "x[1]: expected a finite number, got inf");
  EXPECT_EQ(error_of({.loss = "logistic"}), "labels: expected two for the loss logistic, got none");
  EXPECT_EQ(error_of({.loss = "pca", .labels = SignLabelNames{}}),
            "labels: expected none for the loss pca, got two");
  EXPECT_EQ(error_of({.loss = "sigmoid", .labels = SignLabelNames{.negative = NAN}}),
            "labels: expected finite numbers, got nan");
  EXPECT_EQ(error_of({.loss = "pca", .picture = PictureShape{.height = -1, .width = 2}}),
            "picture: expected a height and a width of at least 1, got -1 and 2");
}

}  // namespace
}  // namespace asynprox
