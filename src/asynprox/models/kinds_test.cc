#include "asynprox/models/kinds.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/model_file.h"
#include "asynprox/models/scores.h"
#include "asynprox/sums/network.h"

namespace asynprox {
namespace {

ModelKind kind_of(std::string_view spec) { return make_model_kind(parse_spec(spec)); }

// One user, two items, rank one.
FittedModel factors() {
  return {.loss = "squared",
          .x = {0.5, 2, 0.25, 3, -1, 4},
          .intercept = {3},
          .feature_names = {"user:a", "item:x", "item:y"},
          .model = "factors:rank=1",
          .features = 3,
          .ratings = RatingsShape{1, 2},
          .version = "test"};
}

FittedModel network() {
  const ModelKind kind = kind_of("network:hidden=3,layers=2,activation=tanh");
  return {.loss = "multinomial",
          .outputs = 2,
          .x = std::get<NetworkModel>(kind).shape(2, 2).start(1, 7),
          .normalize_rows = true,
          .column_scale = {2, 0.5},
          .center = {0.1, 0.2},
          .classes = {4, 9},
          .model = "network:hidden=3,layers=2,activation=tanh",
          .features = 2,
          .version = "test"};
}

Dataset two_ratings() {
  Dataset data;
  data.rows = Rows::narrowed(
      {.num_columns = 3, .offsets = {0, 2, 3}, .columns = {0, 2, 1}, .values = {1, 1, 1}});
  data.labels = {1, 2};
  return data;
}

// What one user says of two items.
Dataset rated() {
  Dataset data = two_ratings();
  data.name = "ratings.tsv";
  data.rows = Rows::narrowed(
      {.num_columns = 3, .offsets = {0, 2, 4}, .columns = {0, 2, 0, 1}, .values = {1, 1, 1, 1}});
  data.ratings = RatingsShape{1, 2};
  return data;
}

std::string error_of(auto work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ModelKinds, KnowHowManyNumbersTheyHave) {
  const RatingsShape shape = {4, 3};
  EXPECT_EQ(num_coefficients(kind_of("linear"), {7, 2, {}}), 14);
  EXPECT_EQ(num_coefficients(kind_of("factors:rank=5"), {7, 1, shape}), 7 * 6);
  EXPECT_EQ(num_coefficients(kind_of("matrix"), {7, 1, shape}), 12);
  EXPECT_EQ(num_coefficients(kind_of("network:hidden=5"), {7, 2, {}}), 5 * 8 + 2 * 6);
  EXPECT_EQ(num_coefficients(kind_of("network:5,layers=0"), {7, 2, {}}), 16);
  EXPECT_THROW(num_coefficients(kind_of("factors"), {7, 1, {}}), ContractError);
  EXPECT_THROW(num_coefficients(kind_of("matrix"), {8, 1, shape}), ContractError);
}

TEST(ModelKinds, RefuseWhatHasNoMeaning) {
  for (const char* spec : {"factors:rank=1.5", "factors:-1", "network:hidden=0", "network:2.5",
                           "network:layers=101", "network:activation=sign", "tree"})
    EXPECT_THROW(kind_of(spec), ContractError) << spec;
}

TEST(ModelKinds, SayHowLargeTheirParametersMayBe) {
  EXPECT_EQ(error_of([] { kind_of("factors:rank=1e9"); }),
            "factors: rank: expected a whole number from 0 to 1000000, got 1e9");
  EXPECT_EQ(error_of([] { kind_of("network:layers=1e10"); }),
            "network: layers: expected a whole number from 0 to 100, got 1e10");
}

TEST(ModelKinds, RefuseLossesAndLabelsThatTheyCannotTake) {
  Dataset data = rated();
  EXPECT_EQ(
      error_of([&] { make_sum(kind_of("matrix"), data, {0, 1}, MultinomialLoss{}, 2, false); }),
      "a matrix of ratings takes a loss of one number, got multinomial");
  data.labels = {3, -1};
  for (const char* kind : {"matrix", "network:4"})
    EXPECT_EQ(
        error_of([&] { make_sum(kind_of(kind), data, data.labels, PoissonLoss{}, 1, false); }),
        "ratings.tsv: labels: sample 2: expected at least 0 for the loss poisson, got -1");
}

TEST(ModelKinds, KnowTheColumnsOfTheirMatrix) {
  const RatingsShape shape = {4, 3};
  const auto spec_for = [&](const char* kind, const char* typed) {
    return regularizer_for(kind_of(kind), shape, parse_spec(typed)).text();
  };
  EXPECT_EQ(spec_for("matrix", "nuclear:0.1"), "nuclear:0.1,columns=3");
  EXPECT_EQ(spec_for("matrix", "nuclear:0.1max"), "nuclear:0.1max,columns=3");
  EXPECT_EQ(spec_for("matrix", "nuclear:0.1,columns=3"), "nuclear:0.1,columns=3");
  EXPECT_EQ(spec_for("matrix", "l1:0.1"), "l1:0.1");
  EXPECT_EQ(spec_for("linear", "nuclear:0.1,columns=4"), "nuclear:0.1,columns=4");
  EXPECT_EQ(error_of([&] { spec_for("matrix", "nuclear:0.1,columns=4"); }),
            "nuclear: columns: expected 3, one per item (it need not be written), got 4");
}

TEST(ModelKinds, CountTheHiddenUnitsThatAreGone) {
  FittedModel model = network();
  EXPECT_EQ(hidden_units(model)->zero, 0U);
  EXPECT_EQ(hidden_units(model)->total, 6U);
  std::fill_n(model.x.begin(), 3, 0.0);  // what comes into the first unit, and its bias
  EXPECT_EQ(hidden_units(model)->zero, 1U);
  EXPECT_FALSE(hidden_units(factors()));
}

TEST(ModelKinds, ScoreAsTheySay) {
  EXPECT_EQ(scores(factors(), two_ratings()).u, (Vector{3 + 0.5 - 1 + 8, 3 + 0.25}));
  FittedModel matrix = factors();
  matrix.model = "matrix";
  matrix.x = {10, 20};
  EXPECT_EQ(scores(matrix, two_ratings()).u, (Vector{23, 3}));
}

// The columns are scaled, and what is unknown is left out, as for a linear model.
TEST(ModelKinds, ScoreTreatedData) {
  const FittedModel model = network();
  Dataset data;
  data.rows = Rows::narrowed(
      {.num_columns = 3, .offsets = {0, 2, 4}, .columns = {0, 1, 1, 2}, .values = {3, 4, 3, 4}});
  data.labels = {4, 9};
  const Scores got = scores(model, data);
  EXPECT_EQ(got.ignored, std::vector<Key>{2});
  Dataset known = {.name = "known"};
  known.rows = Rows::narrowed(
      {.num_columns = 2, .offsets = {0, 2, 3}, .columns = {0, 1, 1}, .values = {3, 4, 3}});
  known.row_scale = {0.2, 0.2};
  known.column_scale = model.column_scale;
  known.center = model.center;
  const Vector expected =
      network_outputs(std::get<NetworkModel>(kind_of(model.model)).shape(2, 2), model.x, known);
  ASSERT_EQ(got.u.size(), 4);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(got.u[k], expected[k], 1e-15);
}

TEST(ModelKinds, ComeBackFromTheirFile) {
  const TemporaryFolder folder;
  for (const FittedModel& model : {factors(), network()}) {
    write_model(model, folder.path("model.json"));
    const FittedModel read = read_model(folder.path("model.json"));
    EXPECT_EQ(read.model, model.model);
    EXPECT_EQ(read.x, model.x);
    EXPECT_EQ(read.features, model.features);
    EXPECT_EQ(read.ratings, model.ratings);
    EXPECT_EQ(read.intercept, model.intercept);
    EXPECT_EQ(read.dimension(), model.dimension());
  }
}

TEST(ModelKinds, AreRefusedWhereTheirNumbersDoNotFit) {
  FittedModel model = factors();
  model.x.pop_back();
  EXPECT_THROW(check_model(model), ContractError);
  model = factors();
  model.ratings.reset();
  EXPECT_THROW(check_model(model), ContractError);
  model = network();
  model.features = 3;
  EXPECT_THROW(check_model(model), ContractError);
}

TEST(ModelKinds, MakeTheirSums) {
  const Dataset data = rated();
  const ModelSum factors =
      make_sum(kind_of("factors:2"), data, data.labels, SquaredLoss{}, 1, false);
  EXPECT_EQ(factors.f.dimension(), 9);
  EXPECT_NEAR(factors.offset.at(0), 1.5, 1e-12);
  const ModelSum matrix = make_sum(kind_of("matrix"), data, data.labels, SquaredLoss{}, 1, true);
  EXPECT_EQ(matrix.f.dimension(), 2 + 1);
  EXPECT_EQ(matrix.f.num_free(), 1);
  const ModelSum network =
      make_sum(kind_of("network:4"), data, {0, 1}, MultinomialLoss{}, 2, false);
  EXPECT_EQ(network.f.dimension(), 4 * 4 + 2 * 5);
  EXPECT_THROW(make_sum(kind_of("network:4"), data, {0, 1}, MultinomialLoss{}, 2, true),
               ContractError);
  EXPECT_THROW(make_sum(kind_of("factors"), data, data.labels, PcaLoss{}, 1, false), ContractError);
}

}  // namespace
}  // namespace asynprox
