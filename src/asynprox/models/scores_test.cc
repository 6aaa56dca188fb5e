#include "asynprox/models/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"

namespace asynprox {
namespace {

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
std::string data_error_of(Work work) {
  try {
    work();
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
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
  EXPECT_EQ(scores(model, random_rows(20)).ignored.size(), 0U);
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
  EXPECT_EQ(result.ignored, (std::vector<Key>{1, 2}));
}

TEST(Scores, NameIgnoredColumnsOnceAndOnlyWhereTheyOccur) {
  const Dataset data = dataset({.num_columns = 4'000'000'000,
                                .offsets = {0, 2, 4, 5},
                                .columns = {0, 3'999'999'999, 0, 3'999'999'999, 70'000},
                                .values = {2, 5, 3, 5, 5}});
  const Scores result = scores({.loss = "pca", .x = {1, 1}}, data);
  EXPECT_EQ(result.u, (Vector{2, 3, 0}));
  EXPECT_EQ(result.ignored, (std::vector<Key>{70'000, 3'999'999'999}));
}

TEST(Scores, AreNoneOfNoSamples) {
  EXPECT_TRUE(scores({.loss = "pca", .x = {1}}, Dataset{}).u.empty());
}

TEST(Scores, NameTheSampleWhoseScoreIsNotFinite) {
  EXPECT_EQ(data_error_of([] { scores({.loss = "squared", .x = {0, 0, 1e308}}, three_rows()); }),
            "test: sample 3: expected a finite score, got inf");
}

// Every field at once, against the formula, written out with dense rows.
TEST(Scores, AreTheFormulaOfEveryField) {
  constexpr std::size_t kFeatures = 12, kOutputs = 3;
  for (const bool normalize : {false, true}) {
    for (const std::size_t columns : {std::size_t{7}, std::size_t{12}, std::size_t{20}}) {
      const Dataset data = random_rows(columns);
      const FittedModel model{.loss = "multinomial",
                              .outputs = kOutputs,
                              .x = random_vector(kFeatures * kOutputs),
                              .intercept = {0.5, -2, 7},
                              .normalize_rows = normalize,
                              .column_scale = random_vector(kFeatures),
                              .center = random_vector(kFeatures),
                              .classes = {0, 1, 2}};
      const Vector u = scores(model, data).u;
      const Vector lengths = squared_lengths(model, data);
      ASSERT_EQ(u.size(), data.num_samples() * kOutputs);
      for (std::size_t i = 0; i < data.num_samples(); ++i) {
        Vector a(std::max(columns, kFeatures), 0);
        double square = 0, length = 0;
        for (const auto& [column, value] : data.rows.row(i)) square += value * value;
        const double scale = normalize && square > 0 ? 1 / std::sqrt(square) : 1;
        for (const auto& [column, value] : data.rows.row(i)) a[column] = scale * value;
        for (std::size_t j = 0; j < kFeatures; ++j)
          a[j] = model.column_scale[j] * a[j] - model.center[j];
        for (const double a_j : a) length += a_j * a_j;
        EXPECT_NEAR(lengths[i], length, 1e-13);
        for (std::size_t c = 0; c < kOutputs; ++c) {
          double expected = model.intercept[c];
          for (std::size_t j = 0; j < kFeatures; ++j) expected += a[j] * model.x[j * kOutputs + c];
          EXPECT_NEAR(u[i * kOutputs + c], expected, 1e-13) << "sample " << i << ", output " << c;
        }
      }
    }
  }
}

TEST(Scores, OfOneOfSeveralOutputsAreThoseOfAModelOfItsOwn) {
  const FittedModel both{.loss = "multinomial", .outputs = 2, .x = random_vector(40)};
  FittedModel second{.loss = "squared"};
  for (std::size_t j = 0; j < 20; ++j) second.x.push_back(both.x[2 * j + 1]);
  const Vector u = scores(both, random_rows(20)).u, expected = scores(second, random_rows(20)).u;
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(u[2 * i + 1], expected[i]);
}

TEST(Scores, OfABlockCountItsSamplesFromThoseBefore) {
  const FittedModel model{.loss = "squared", .x = {0, 0, 1e308}};
  EXPECT_EQ(data_error_of([&] { Scorer(model).scores(three_rows(), 1000); }),
            "test: sample 1003: expected a finite score, got inf");
  const FittedModel normalizing{.loss = "squared", .x = {1}, .normalize_rows = true};
  const Dataset tiny =
      dataset({.num_columns = 1, .offsets = {0, 1, 2}, .columns = {0, 0}, .values = {1, 5e-324}});
  EXPECT_TRUE(data_error_of([&] {
                Scorer(normalizing).scores(tiny, 1000);
              }).starts_with("test, after sample 1000: sample 2 cannot be scaled"));
}

}  // namespace
}  // namespace asynprox
