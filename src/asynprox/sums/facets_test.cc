// The facets of every finite sum of the library obey their laws, and a facet that an f does not
// offer is null.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/sums/facet_laws_testing.h"
#include "asynprox/sums/factorization.h"
#include "asynprox/sums/linear_sum.h"
#include "asynprox/sums/matrix_completion.h"
#include "asynprox/sums/network.h"
#include "asynprox/sums/quartic_testing.h"

namespace asynprox {
namespace {

constexpr std::size_t kRows = 60, kColumns = 5;

// Half of the entries are zero; labels -1 and +1, with weights and row scales.
Dataset some_data() {
  const Random random(11);
  std::uint64_t counter = 0;
  CsrMatrix matrix;
  matrix.num_columns = kColumns;
  Dataset data;
  for (std::size_t i = 0; i < kRows; ++i) {
    for (Key j = 0; j < kColumns; ++j) {
      if (random.uniform_at(counter++) < 0.5 && j > 0) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(2 * random.uniform_at(counter++) - 1);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(random.uniform_at(counter++) < 0.5 ? -1 : 1);
    data.weights.push_back(0.5 + random.uniform_at(counter++));
    data.row_scale.push_back(0.5 + random.uniform_at(counter++));
  }
  data.rows = Rows::narrowed(matrix);
  return data;
}

Dataset some_ratings() {
  const Random random(7);
  CsrMatrix matrix;
  matrix.num_columns = 7;
  Dataset data;
  for (std::uint64_t i = 0; i < kRows; ++i) {
    matrix.columns.push_back(static_cast<Key>(random.index_at(3 * i, 3)));
    matrix.columns.push_back(static_cast<Key>(3 + random.index_at(3 * i + 1, 4)));
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(static_cast<double>(1 + random.index_at(3 * i + 2, 5)));
  }
  matrix.values.assign(matrix.columns.size(), 1.0);
  data.rows = Rows::narrowed(matrix);
  data.ratings = RatingsShape{3, 4};
  return data;
}

void expect_laws(const AnyFiniteSum& f) {
  const Random random(5);
  Vector x = f.start(2).value_or(Vector(f.dimension(), 0)), y = x;
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] += random.uniform_at(2 * j) - 0.5;
    y[j] += random.uniform_at(2 * j + 1) - 0.5;
  }
  std::vector<SampleIndex> samples = all_samples(kRows / 2);
  samples.push_back(3);  // samples may repeat
  expect_facets_agree({.f = f, .x = x, .y = y, .samples = samples});
}

TEST(Facets, OfLinearModelsObeyTheirLaws) {
  for (const bool intercept : {false, true})
    for (const bool centered : {false, true})
      for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
        SCOPED_TRACE(testing::Message() << Loss::name << (intercept ? ", intercept" : "")
                                        << (centered ? ", centred" : ""));
        Dataset data = some_data();
        if (centered) center_columns(data);
        Vector labels = data.labels;
        for (double& label : labels)
          if (Loss::name == PoissonLoss::name) label = 1 + label;
        const AnyFiniteSum f = LinearSum(data, labels, Loss{}, {.intercept = intercept});
        ASSERT_TRUE(f.linear() && f.factored() && f.columns());
        EXPECT_EQ(f.sparse() != nullptr, !centered);
        EXPECT_EQ(f.local() != nullptr, !centered);
        EXPECT_EQ(f.gram() != nullptr, !centered);
        EXPECT_EQ(f.dual() != nullptr, Loss::convex);
        EXPECT_TRUE(f.curvature() && f.curvature_products());
        expect_laws(f);
      });
}

TEST(Facets, OfALinearModelOfSeveralOutputsObeyTheirLaws) {
  for (const bool intercept : {false, true}) {
    const Dataset data = some_data();
    Vector classes = data.labels;
    for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<double>(i % 3);
    const AnyFiniteSum f =
        LinearSum(data, classes, MultinomialLoss{}, {.outputs = 3, .intercept = intercept});
    EXPECT_FALSE(f.local());
    EXPECT_TRUE(f.gram() && f.class_curvature());
    ASSERT_TRUE(f.linear());
    EXPECT_TRUE(f.linear()->ignores_common_shift());
    expect_laws(f);
  }
}

TEST(Facets, OfFactorsAreKeysAndLocalCurvature) {
  const AnyFiniteSum f = Factorization(some_ratings(), SquaredLoss{}, 2);
  EXPECT_TRUE(f.sparse());
  EXPECT_FALSE(f.linear() || f.factored() || f.columns() || f.gram() || f.local() || f.dual());
  ASSERT_TRUE(f.curvature() && f.curvature_products());
  EXPECT_TRUE(f.curvature()->is_local());
  expect_laws(f);
}

TEST(Facets, OfMatrixCompletionAreThoseOfALinearModel) {
  const AnyFiniteSum f = matrix_completion(some_ratings(), HuberLoss{.delta = 1.3});
  EXPECT_TRUE(f.linear() && f.sparse() && f.local() && f.gram() && f.dual());
  expect_laws(f);
}

TEST(Facets, OfANetworkAreLocalCurvatureAlone) {
  const Dataset data = some_data();
  const AnyFiniteSum f =
      Network(data, data.labels, SquaredLoss{}, {kColumns, {4}, 1, Activation::tanh});
  EXPECT_FALSE(f.linear() || f.factored() || f.sparse() || f.local() || f.dual());
  EXPECT_LT(f.mean_keys(), static_cast<double>(f.dimension())) << "a sample costs its nonzeros";
  EXPECT_TRUE(f.curvature() && f.curvature_products());
  expect_laws(f);
}

TEST(Facets, ThatAnFDoesNotOfferAreNull) {
  const AnyFiniteSum f = Quartic{};
  EXPECT_TRUE(f.has_value());
  EXPECT_EQ(f.factored(), nullptr);
  EXPECT_EQ(f.linear(), nullptr);
  EXPECT_EQ(f.columns(), nullptr);
  EXPECT_EQ(f.gram(), nullptr);
  EXPECT_EQ(f.class_curvature(), nullptr);
  EXPECT_EQ(f.sparse(), nullptr);
  EXPECT_EQ(f.local(), nullptr);
  EXPECT_EQ(f.curvature(), nullptr);
  EXPECT_EQ(f.curvature_products(), nullptr);
  EXPECT_EQ(f.dual(), nullptr);
  EXPECT_FALSE(f.has_start());
  EXPECT_EQ(f.start(1), std::nullopt);
  EXPECT_EQ(f.best_intercept(Vector(3)), std::nullopt);
  EXPECT_EQ(f.outputs(), 1);
  EXPECT_EQ(f.num_free(), 0);
  EXPECT_EQ(f.mean_keys(), 3);
}

TEST(Facets, ThatAreAbsentThrowWhereTheyAreCalled) {
  const AnyFiniteSum f = Quartic{};
  try {
    f.linear()->ignores_common_shift();
    FAIL() << "no error";
  } catch (const BugError& error) {
    EXPECT_STREQ(error.what(), "internal error: a finite sum without the facet linear");
  }
  EXPECT_THROW(f.curvature()->sample_lipschitz({}), BugError);
  EXPECT_THROW(f.dual()->conjugate_sum({}, {}, 1), BugError);
}

// One facet more is two members more.
struct SparseQuartic : Quartic {
  void add_keys(Samples samples, KeySet& keys) const {
    for (const SampleIndex i : samples) keys.add(i);
  }
  double mean_keys() const { return 1; }
};

TEST(Facets, AreOfferedByTheirMembers) {
  const AnyFiniteSum f = SparseQuartic{};
  ASSERT_TRUE(f.sparse());
  EXPECT_FALSE(f.local() || f.factored() || f.curvature());
  EXPECT_EQ(f.mean_keys(), 1);
  const Vector x = {1, 2, 3}, y = {-1, 0.5, 2};
  expect_facets_agree({.f = f, .x = x, .y = y, .samples = all_samples(3)});
}

// Its scalars are made of its outputs.
struct OutputsAlone {
  std::size_t dimension() const { return 2; }
  std::size_t num_samples() const { return 3; }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const double u = x[0] + samples[s] * x[1];
      const double c = (weights.empty() ? 1 : weights[s]) * std::sinh(u);
      scatter(samples.subspan(s, 1), {&c, 1}, g);
    }
  }
  double value(std::span<const double> x, Samples samples) const {
    Vector u(samples.size());
    outputs_at(x, samples, u);
    return value_of_outputs(samples, u);
  }
  void outputs_at(std::span<const double> x, Samples samples, std::span<double> u) const {
    for (std::size_t s = 0; s < samples.size(); ++s) u[s] = x[0] + samples[s] * x[1];
  }
  double value_of_outputs(Samples, std::span<const double> u) const {
    double sum = 0;
    for (const double u_i : u) sum += std::cosh(u_i);
    return sum;
  }
  void scalars_of_outputs(Samples, std::span<const double> u, std::span<double> c) const {
    for (std::size_t s = 0; s < u.size(); ++s) c[s] = std::sinh(u[s]);
  }
  void scatter(Samples samples, std::span<const double> c, std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      g[0] += c[s];
      g[1] += samples[s] * c[s];
    }
  }
};

TEST(Facets, MakeWhatTheirMembersImply) {
  const AnyFiniteSum f = OutputsAlone{};
  ASSERT_TRUE(f.linear());
  EXPECT_EQ(f.factored(), f.linear());
  EXPECT_FALSE(f.linear()->ignores_common_shift());
  const Vector x = {0.3, -0.2}, y = {0.1, 0.4};
  expect_facets_agree({.f = f, .x = x, .y = y, .samples = all_samples(3)});
}

// Half a facet, or a facet with another signature, is named by a static_assert when the f is used.
struct KeysOnly : Quartic {
  void add_keys(Samples, KeySet&) const {}
};
static_assert(MentionsSparseGradient<KeysOnly> && !OffersSparseGradient<KeysOnly>);
struct WrongScalars : Quartic {
  void scalars(Samples) const {}
};
static_assert(MentionsFactoredGradient<WrongScalars> && !OffersFactoredGradient<WrongScalars>);
struct WrongLipschitz : Quartic {
  const char* lipschitz() const { return "large"; }
};
static_assert(MentionsCurvature<WrongLipschitz> && !OffersCurvature<WrongLipschitz>);
static_assert(!MentionsSparseGradient<Quartic> && !MentionsFactoredGradient<Quartic>);
static_assert(FiniteSum<Quartic> && !FiniteSum<Vector>);

}  // namespace
}  // namespace asynprox
