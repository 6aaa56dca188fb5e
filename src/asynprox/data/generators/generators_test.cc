// Laws of every generator in the list, then what each promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/data/generators/column_laws.h"

namespace asynprox {
namespace {

bool same(const LabelledRows& a, const LabelledRows& b) {
  return a.labels == b.labels && a.matrix.offsets == b.matrix.offsets &&
         a.matrix.columns == b.matrix.columns && a.matrix.values == b.matrix.values &&
         a.matrix.num_columns == b.matrix.num_columns;
}

LabelledRows made(const AnyGenerator& generator) { return all_samples(generator.rows()); }
LabelledRows made(const std::string& spec) { return made(make_generator(parse_spec(spec))); }

std::string error_of(const std::string& spec) {
  try {
    made(spec);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

// Whether the number of features is d, rather than users and items.
bool has_d(const std::string& name) { return name != RatingsGenerator::name; }

TEST(EveryGenerator, IsAFunctionOfItsParameters) {
  for (const std::string& name : member_names(AllGenerators{})) {
    EXPECT_TRUE(same(made(name + ":n=50,seed=3"), made(name + ":n=50,seed=3"))) << name;
    EXPECT_FALSE(same(made(name + ":n=50,seed=3"), made(name + ":n=50,seed=4"))) << name;
  }
}

// So a file of them can be written by several threads, without holding it.
TEST(EveryGenerator, MakesTheSameRowsInAnyPieces) {
  for (const std::string& name : member_names(AllGenerators{})) {
    const GeneratedRows rows = make_generator(parse_spec(name + ":n=40,seed=5")).rows();
    EXPECT_EQ(rows.num_rows, 40u);
    const LabelledRows whole = all_samples(rows);
    LabelledRows pieces;
    pieces.matrix.num_columns = rows.num_columns;
    rows.append(0, 1, pieces);
    rows.append(1, 1, pieces);
    rows.append(1, 17, pieces);
    rows.append(17, 40, pieces);
    EXPECT_TRUE(same(pieces, whole)) << name;
    for (std::uint64_t i = 0; i < 40; ++i)
      EXPECT_EQ(rows.count_nonzeros(0, i), whole.matrix.offsets[i]) << name;
  }
}

TEST(EveryGenerator, MakesColumnsThatRise) {
  for (const std::string& name : member_names(AllGenerators{})) {
    for (const char* const shape : {":n=200", ":n=200,d=20", ":n=30,d=5000"}) {
      if (!has_d(name) && std::string_view(shape).find("d=") != std::string_view::npos) continue;
      const LabelledRows samples = made(name + shape);
      const CsrMatrix& matrix = samples.matrix;
      for (std::size_t i = 0; i + 1 < matrix.offsets.size(); ++i) {
        const auto row = std::span(matrix.columns)
                             .subspan(matrix.offsets[i], matrix.offsets[i + 1] - matrix.offsets[i]);
        ASSERT_TRUE(std::ranges::adjacent_find(row, std::ranges::greater_equal()) == row.end())
            << name << shape;
        ASSERT_TRUE(row.empty() || row.back() < matrix.num_columns) << name << shape;
      }
    }
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
      if (!has_d(name)) continue;
      const Dataset data = read_dataset("generate:" + name + ":n=30,d=" + std::to_string(d) +
                                        (name == "sparse-logistic" ? ",nonzeros=1" : ""));
      EXPECT_EQ(data.num_samples(), 30u);
      EXPECT_EQ(data.labels.size(), 30u);
      EXPECT_EQ(data.dimension(), d);
    }
  }
}

TEST(EveryGenerator, MakesValuesThatAreFloats) {
  for (const std::string& name : member_names(AllGenerators{})) {
    const LabelledRows samples = made(name + ":n=50");
    EXPECT_TRUE(std::ranges::none_of(samples.matrix.values, [](double v) { return v == 0; }));
    EXPECT_TRUE(std::ranges::all_of(samples.matrix.values,
                                    [](double v) { return static_cast<float>(v) == v; }));
    const bool is_signed = name == "groups" || name == "lasso" || name == "poisson";
    EXPECT_EQ(std::ranges::min(samples.matrix.values) < 0, is_signed) << name;
  }
}

TEST(EveryGenerator, RefusesNumbersThatAreNotWhole) {
  for (const std::string& name : member_names(AllGenerators{})) {
    const std::string n = name + ": n: expected a whole number from 1 to 4294967295, got ";
    EXPECT_EQ(error_of(name + ":n=2.5"), n + "2.5");
    EXPECT_EQ(error_of(name + ":n=0"), n + "0");
    EXPECT_EQ(error_of(name + ":seed=0.5"),
              name + ": seed: expected a whole number from 0 to 9007199254740992, got 0.5");
    if (!has_d(name)) continue;
    const std::string d = name + ": d: expected a whole number from 1 to 2147483647, got ";
    EXPECT_EQ(error_of(name + ":d=2.5"), d + "2.5");
    EXPECT_EQ(error_of(name + ":d=3e9"), d + "3e9");
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
  const LabelledRows samples = made(generator);
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
  for (const std::string columns : {"zipf", "uniform"}) {
    for (const int nonzeros : {1, 2, 7, 50, 99, 100}) {
      const GeneratedRows rows =
          SparseLogisticGenerator{.n = 40'000, .d = 100, .nonzeros = nonzeros, .columns = columns}
              .rows();
      EXPECT_NEAR(static_cast<double>(rows.count_nonzeros(0, 40'000)) / 40'000, nonzeros,
                  0.02 * nonzeros);
    }
  }
  EXPECT_EQ(error_of("sparse-logistic:d=5,nonzeros=6"),
            "sparse-logistic: nonzeros: expected at most d, got 6 and 5");
}

// P(length > s) falls as 1/s^2: four times the length, a sixteenth of the rows.
TEST(SparseLogistic, HasRowLengthsByAPowerLaw) {
  const GeneratedRows rows =
      SparseLogisticGenerator{.n = 100'000, .d = 1'000'000, .nonzeros = 100}.rows();
  const auto longer_than = [&](std::uint64_t length) {
    double count = 0;
    for (std::uint64_t i = 0; i < rows.num_rows; ++i)
      count += rows.count_nonzeros(i, i + 1) > length ? 1 : 0;
    return count;
  };
  EXPECT_EQ(longer_than(49), 100'000);
  EXPECT_NEAR(longer_than(100) / longer_than(400), 16, 1);
  EXPECT_NEAR(longer_than(200) / longer_than(800), 16, 2);
  EXPECT_EQ(longer_than(100 * 100), 0);
}

TEST(SparseLogistic, DrawsColumnsUniformlyIfTold) {
  for (const int nonzeros : {5, 15}) {
    const LabelledRows samples = made(
        SparseLogisticGenerator{.n = 10'000, .d = 20, .nonzeros = nonzeros, .columns = "uniform"});
    std::vector<double> counts(20, 0);
    for (const Key column : samples.matrix.columns) ++counts[column];
    for (const double count : counts) EXPECT_NEAR(count / (500 * nonzeros), 1, 0.05);
  }
  EXPECT_EQ(error_of("sparse-logistic:columns=unifrom"),
            "sparse-logistic: columns: expected zipf or uniform, got 'unifrom' (did you mean "
            "'uniform'?)");
}

// d = 1000 is ranks 1 to 1000: nine whole octaves, and 489 of the 512 ranks of the tenth.
TEST(SparseLogistic, DrawsColumnsByZipfsLaw) {
  const LabelledRows samples =
      made(SparseLogisticGenerator{.n = 100'000, .d = 1000, .nonzeros = 1});
  std::vector<double> octaves(10, 0), counts(1000, 0);
  for (const Key column : samples.matrix.columns) {
    ++octaves[static_cast<std::size_t>(ZipfColumns::octave(column))];
    ++counts[column];
  }
  const double whole = 100'000 / (9 + 489.0 / 512);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(octaves[k], whole, 0.04 * whole) << k;
  EXPECT_NEAR(octaves[9], whole * 489 / 512, 0.04 * whole);
  for (std::size_t j = 0; j < 15; ++j)
    EXPECT_NEAR(counts[j], whole / static_cast<double>(std::bit_floor(j + 1)), 0.15 * counts[j])
        << j;
  EXPECT_GT(counts[999], 0);
}

TEST(SparseLogistic, HasRowsOfLengthOne) {
  const Rows rows = Rows::narrowed(made("sparse-logistic:n=200,d=1000,nonzeros=30").matrix);
  EXPECT_EQ(rows.form(), "16-bit columns, floats");
  for (const double squared : rows.squared_norms()) EXPECT_NEAR(squared, 1, 1e-6);
}

TEST(SparseLogistic, TakesManySamplesAndFeaturesWithoutHoldingThem) {
  const GeneratedRows rows =
      SparseLogisticGenerator{.n = 4'000'000'000, .d = 2'000'000'000, .nonzeros = 100}.rows();
  LabelledRows samples;
  rows.append(3'999'999'990, 4'000'000'000, samples);
  EXPECT_EQ(samples.labels.size(), 10u);
  EXPECT_GT(std::ranges::max(samples.matrix.columns), 1'000'000u);
}

TEST(SparseLogistic, LabelsByThePlantedModel) {
  const SparseLogisticGenerator generator{.n = 2000, .d = 200, .nonzeros = 50};
  const Vector w = generator.planted();
  EXPECT_NEAR(static_cast<double>(count_nonzeros(w)), 20, 15);
  const LabelledRows samples = made(generator);
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

// z_i'x for every row.
Vector predictors(const LabelledRows& samples, const Vector& x) {
  const Rows rows = Rows::narrowed(samples.matrix);
  Vector t(rows.num_rows(), 0);
  for (std::size_t i = 0; i < t.size(); ++i)
    for (const RowEntry& entry : rows.row(i)) t[i] += entry.value * x[entry.column];
  return t;
}

TEST(Lasso, IsThePlantedModelAndNoise) {
  for (const double noise : {0.0, 0.5}) {
    const LassoGenerator generator{.n = 4000, .d = 40, .noise = noise, .support = 0.2};
    EXPECT_EQ(count_nonzeros(generator.planted()), 8u);
    const LabelledRows samples = made(generator);
    const Vector t = predictors(samples, generator.planted());
    double squares = 0;
    for (std::size_t i = 0; i < 4000; ++i)
      squares += (samples.labels[i] - t[i]) * (samples.labels[i] - t[i]);
    EXPECT_NEAR(squares / 4000, noise * noise, 0.02 * noise + 1e-20);
  }
  EXPECT_EQ(count_nonzeros(LassoGenerator{.d = 5, .support = 0}.planted()), 1u);
  EXPECT_EQ(count_nonzeros(LassoGenerator{.d = 5, .support = 1}.planted()), 5u);
}

TEST(Lasso, ChoosesEveryFeatureAlike) {
  Vector counts(5, 0);
  for (int seed = 0; seed < 5000; ++seed) {
    const Vector x = LassoGenerator{.d = 5, .seed = seed, .support = 0.4}.planted();
    for (std::size_t j = 0; j < 5; ++j) counts[j] += x[j] != 0 ? 1 : 0;
  }
  for (const double count : counts) EXPECT_NEAR(count / 2000, 1, 0.06);
}

TEST(Groups, MatterAsAWhole) {
  const GroupsGenerator generator{.n = 10, .d = 43, .noise = 0, .support = 0.3, .size = 4};
  const Vector x = generator.planted();
  int active = 0;
  for (std::size_t first = 0; first < 43; first += 4) {
    const std::size_t end = std::min<std::size_t>(first + 4, 43);
    const auto group = std::span(x).subspan(first, end - first);
    const auto nonzeros = group.size() - static_cast<std::size_t>(std::ranges::count(group, 0.0));
    EXPECT_TRUE(nonzeros == 0 || nonzeros == group.size()) << first;
    active += nonzeros > 0 ? 1 : 0;
  }
  EXPECT_EQ(active, 4);  // ceil(0.3 * 11)
  const LabelledRows samples = made(generator);
  const Vector t = predictors(samples, x);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(samples.labels[i], t[i], 1e-12);
}

// E y = e^t and Var y = e^t, so (y - e^t)^2 / e^t has mean 1; the skewness of t is gone.
TEST(PoissonCounts, HaveTheMeanAndVarianceOfTheirLaw) {
  const PoissonGenerator generator{.n = 40'000, .d = 30};
  EXPECT_NEAR(norm(generator.planted()), 1, 1e-12);
  const LabelledRows samples = made(generator);
  const Vector t = predictors(samples, generator.planted());
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 40'000; ++i) {
    const double mean = std::exp(std::clamp(t[i], -3.0, 3.0));
    ASSERT_EQ(samples.labels[i], std::trunc(samples.labels[i]));
    ASSERT_GE(samples.labels[i], 0);
    sum += (samples.labels[i] - mean) / std::sqrt(mean);
    squares += (samples.labels[i] - mean) * (samples.labels[i] - mean) / mean;
  }
  EXPECT_NEAR(sum / 40'000, 0, 0.02);
  EXPECT_NEAR(squares / 40'000, 1, 0.05);
}

TEST(Ratings, AreEntriesOfAMatrixOfLowRankEachAtMostOnce) {
  const RatingsGenerator generator{.n = 63, .users = 9, .items = 7, .rank = 2, .noise = 0};
  const GeneratedRows rows = generator.rows();
  EXPECT_EQ(rows.ratings, (RatingsShape{9, 7}));
  const LabelledRows samples = all_samples(rows);
  const Vector matrix = generator.planted();
  std::vector<int> seen(63, 0);
  for (std::size_t i = 0; i < 63; ++i) {
    const std::size_t user = samples.matrix.columns[2 * i];
    const std::size_t item = samples.matrix.columns[2 * i + 1] - 9;
    ASSERT_LT(user, 9u);
    ASSERT_LT(item, 7u);
    ++seen[7 * user + item];
    EXPECT_EQ(samples.labels[i], matrix[7 * user + item]);
  }
  EXPECT_EQ(std::ranges::count(seen, 1), 63);
  EXPECT_EQ(read_dataset("generate:ratings:n=5,users=4,items=3").ratings, (RatingsShape{4, 3}));
  EXPECT_EQ(error_of("ratings:n=13,users=4,items=3"),
            "ratings: n: expected at most users times items, which is 12, got 13");
  EXPECT_EQ(error_of("ratings:n=3,users=2e9,items=2e9"),
            "ratings: expected at most 2147483647 users and items, got 4000000000");
}

// Three by three minors of a matrix of rank 2 (less its mean) are 0; those of rank 3 are not.
TEST(Ratings, HaveTheRankAskedFor) {
  const auto minor = [](std::int64_t rank) {
    Vector m = RatingsGenerator{.users = 3, .items = 3, .rank = rank}.planted();
    for (double& entry : m) entry -= 3;
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
  };
  EXPECT_NEAR(minor(2), 0, 1e-12);
  EXPECT_GT(std::fabs(minor(3)), 1e-3);
}

TEST(Ratings, TakesManyWithoutHoldingThem) {
  const GeneratedRows rows =
      RatingsGenerator{
          .n = 4'000'000'000, .users = 1'000'000'000, .items = 1'000'000'000, .rank = 2}
          .rows();
  LabelledRows samples;
  rows.append(3'999'999'990, 4'000'000'000, samples);
  EXPECT_GT(std::ranges::max(samples.matrix.columns), 1'000'000'000u);
}

// Results that others have published with a seed must stay these.
TEST(Generators, AreTheSameEverywhere) {
  const LabelledRows logistic = made("sparse-logistic:n=3,d=10,nonzeros=2,seed=7");
  EXPECT_EQ(logistic.labels, (Vector{-1, 1, 1}));
  EXPECT_EQ(logistic.matrix.offsets, (std::vector<std::uint64_t>{0, 2, 3, 5}));
  EXPECT_EQ(logistic.matrix.columns, (std::vector<Key>{5, 8, 0, 0, 1}));
  // Counts 5, 3; 1; 3, 1, times 1 + the octaves 2, 3; 0; 0, 1.
  const auto scaled = [](double value, double other) {
    return static_cast<double>(
        static_cast<float>(value / std::sqrt(value * value + other * other)));
  };
  EXPECT_EQ(logistic.matrix.values,
            (Vector{scaled(15, 12), scaled(12, 15), 1, scaled(3, 2), scaled(2, 3)}));
  const LabelledRows pca = made("nn-pca:n=1,d=3,seed=7");
  EXPECT_EQ(pca.matrix.values, (Vector{0x1.700898p+0, 0x1.1d145ap-2, 0x1.4bc126p-4}));
}

}  // namespace
}  // namespace asynprox
