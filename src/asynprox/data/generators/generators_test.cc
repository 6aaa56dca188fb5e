// Laws of every generator in the list, then what each promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/generators/all.h"

namespace asynprox {
namespace {

bool same(const LabelledRows& a, const LabelledRows& b) {
  return a.labels == b.labels && a.matrix.offsets == b.matrix.offsets &&
         a.matrix.columns == b.matrix.columns && a.matrix.values == b.matrix.values &&
         a.matrix.num_columns == b.matrix.num_columns;
}

LabelledRows made(const std::string& spec) { return make_generator(parse_spec(spec)).generate(); }

std::string error_of(const std::string& spec) {
  try {
    made(spec);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(EveryGenerator, IsAFunctionOfItsParameters) {
  for (const std::string& name : member_names(AllGenerators{})) {
    EXPECT_TRUE(same(made(name + ":n=50,seed=3"), made(name + ":n=50,seed=3"))) << name;
    EXPECT_FALSE(same(made(name + ":n=50,seed=3"), made(name + ":n=50,seed=4"))) << name;
  }
}

TEST(EveryGenerator, StartsAlikeWhateverTheNumberOfSamples) {
  for (const std::string& name : member_names(AllGenerators{})) {
    const Rows few = Rows::narrowed(made(name + ":n=10").matrix);
    const Rows many = Rows::narrowed(made(name + ":n=20").matrix);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(few.row(i), many.row(i)) << name;
  }
}

TEST(EveryGenerator, MakesRowsOfTheShapeAskedFor) {
  for (const std::string& name : member_names(AllGenerators{})) {
    for (const std::size_t d : {1, 2, 37}) {
      const Dataset data = read_dataset("generate:" + name + ":n=30,d=" + std::to_string(d) +
                                        (name == "sparse-logistic" ? ",nonzeros=1" : ""));
      EXPECT_EQ(data.num_samples(), 30u);
      EXPECT_EQ(data.labels.size(), 30u);
      EXPECT_EQ(data.dimension(), d);
      EXPECT_EQ(data.rows.form(), "16-bit columns, floats") << name;
    }
  }
}

TEST(EveryGenerator, RefusesNumbersThatAreNotWhole) {
  for (const std::string& name : member_names(AllGenerators{})) {
    EXPECT_EQ(error_of(name + ":n=2.5"), name + ": n: expected a whole number, got 2.5");
    EXPECT_EQ(error_of(name + ":d=2.5"), name + ": d: expected a whole number, got 2.5");
    EXPECT_EQ(error_of(name + ":seed=0.5"), name + ": seed: expected a whole number, got 0.5");
    EXPECT_EQ(error_of(name + ":d=3e9"), name + ": d: expected at most 2147483647, got 3000000000");
    EXPECT_EQ(error_of(name + ":n=0"), name + ": n: expected >= 1, got 0");
  }
}

TEST(NormalLike, HasMeanZeroAndVarianceOne) {
  double sum = 0, squares = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double value = normal_like(Random(5).at(i));
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 100'000, 0, 0.01);
  EXPECT_NEAR(squares / 100'000, 1, 0.02);
}

TEST(NnPca, IsNonNegativeAroundThePlantedComponent) {
  const NnPcaGenerator generator{.n = 200, .d = 50, .noise = 0.1};
  const Vector v = generator.planted();
  EXPECT_NEAR(norm(v), 1, 1e-12);
  EXPECT_GE(std::ranges::min(v), 0);
  const LabelledRows samples = generator.generate();
  EXPECT_GT(std::ranges::min(samples.matrix.values), 0);
  const Rows rows = Rows::narrowed(samples.matrix);
  for (std::size_t i = 0; i < 200; ++i) {
    double along = 0, squared = 0;
    for (const RowEntry& entry : rows.row(i)) {
      along += entry.value * v[entry.column];
      squared += entry.value * entry.value;
    }
    EXPECT_GT(along / std::sqrt(squared), 0.95);
  }
}

TEST(SparseLogistic, HasTheNonzerosAskedFor) {
  for (const double nonzeros : {1, 7, 50, 99, 100}) {
    const LabelledRows samples =
        SparseLogisticGenerator{.n = 4000, .d = 100, .nonzeros = nonzeros}.generate();
    EXPECT_NEAR(static_cast<double>(samples.matrix.columns.size()) / 4000, nonzeros,
                0.03 * nonzeros);
  }
  EXPECT_EQ(error_of("sparse-logistic:d=5,nonzeros=6"),
            "sparse-logistic: nonzeros: expected at most d, got 6 and 5");
}

TEST(SparseLogistic, DrawsColumnsUniformly) {
  const LabelledRows samples =
      SparseLogisticGenerator{.n = 10'000, .d = 20, .nonzeros = 5}.generate();
  std::vector<int> counts(20, 0);
  for (const Key column : samples.matrix.columns) ++counts[column];
  for (const int count : counts) EXPECT_NEAR(count, 2500, 250);
}

TEST(SparseLogistic, LabelsByThePlantedModel) {
  const SparseLogisticGenerator generator{.n = 2000, .d = 200, .nonzeros = 50};
  const Vector w = generator.planted();
  EXPECT_NEAR(static_cast<double>(count_nonzeros(w)), 20, 15);
  const LabelledRows samples = generator.generate();
  const Rows rows = Rows::narrowed(samples.matrix);
  int agree = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    double t = 0;
    for (const RowEntry& entry : rows.row(i)) t += entry.value * w[entry.column];
    agree += t * samples.labels[i] > 0 ? 1 : 0;
  }
  EXPECT_GT(agree, 1500);
  EXPECT_LT(agree, 2000);
}

// Results that others have published with a seed must stay these.
TEST(Generators, AreTheSameEverywhere) {
  const LabelledRows logistic = made("sparse-logistic:n=3,d=10,nonzeros=2,seed=7");
  EXPECT_EQ(logistic.labels, (Vector{-1, 1, 1}));
  EXPECT_EQ(logistic.matrix.columns, (std::vector<Key>{1, 2, 8, 2, 8}));
  EXPECT_EQ(logistic.matrix.values,
            (Vector{-0x1.f71dd6p-2, -0x1.0c77b6p+1, 0x1.e8c6c8p+0, -0x1.86019ep-3, 0x1.d453b2p-3}));
  const LabelledRows pca = made("nn-pca:n=1,d=3,seed=7");
  EXPECT_EQ(pca.matrix.values, (Vector{0x1.700898p+0, 0x1.1d145ap-2, 0x1.4bc126p-4}));
}

}  // namespace
}  // namespace asynprox
