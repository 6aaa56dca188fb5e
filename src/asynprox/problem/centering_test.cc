// Data that is centred without being made dense: the same finite sum as of rows that are.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/linear_sum.h"
#include "asynprox/problem/problem.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 700, kDimension = 7;  // more than one piece
constexpr double kRelative = 1e-12;

// What data may have beside its rows.
struct Shape {
  bool scaled = false;
  bool weighted = false;
};
constexpr Shape kShapes[] = {{}, {.scaled = true}, {.weighted = true}, {true, true}};

// About half of the entries, some rows empty; all positive, so that the means matter.
Dataset sparse_data(const Shape& shape) {
  const Random random(23);
  std::uint64_t draw = 0;
  CsrMatrix matrix{.num_columns = kDimension};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (Key j = 0; j < kDimension; ++j) {
      if (random.uniform_at(draw++) < 0.5) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(0.5 + random.uniform_at(draw++));
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(random.uniform_at(draw++) < 0.5 ? -1 : 1);
    if (shape.weighted) data.weights.push_back(random.uniform_at(draw++));
  }
  data.rows = Rows::narrowed(matrix);
  if (shape.scaled) normalize_rows(data);
  return data;
}

// The rows s_i z_i - mu, all of their entries, with mu by its definition.
Dataset made_dense(const Dataset& data) {
  Vector entries(kSamples * kDimension, 0), mean(kDimension, 0);
  double total = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double weight = data.weights.empty() ? 1 : data.weights[i];
    total += weight;
    for (const auto& [column, value] : data.rows.row(i)) {
      const double scaled = value * (data.row_scale.empty() ? 1 : data.row_scale[i]);
      entries[i * kDimension + column] = scaled;
      mean[column] += weight * scaled;
    }
  }
  CsrMatrix matrix{.num_columns = kDimension};
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (Key j = 0; j < kDimension; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(entries[i * kDimension + j] - mean[j] / total);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return {.rows = Rows::plain(matrix), .labels = data.labels, .weights = data.weights};
}

std::vector<SampleIndex> some_samples() {
  std::vector<SampleIndex> samples;
  for (SampleIndex i = 0; i < 600; ++i) samples.push_back(i * 11 % kSamples);
  samples.push_back(3);
  samples.push_back(3);
  return samples;
}

const Vector kPoint = {0.3, -0.2, 0.5, 0.1, -0.7, 0.4, 0.05};

// Relative to the larger norm.
void expect_near(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  Vector difference = a;
  add_scaled(difference, -1, b);
  EXPECT_LE(norm(difference), kRelative * std::max(norm(a), norm(b)));
}
void expect_near(double a, double b) { expect_near(Vector{a}, Vector{b}); }

void expect_same_sums(const LinearSum& a, const LinearSum& b) {
  const std::vector<SampleIndex> samples = some_samples();
  Vector weights(samples.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 5) - 1;
  const auto filled_by = [](auto&& fill) {
    Vector g(kDimension, 0.25);
    fill(g);
    return g;
  };
  const auto expect_both = [&](auto&& fill) {
    expect_near(filled_by([&](Vector& g) { fill(a, g); }),
                filled_by([&](Vector& g) { fill(b, g); }));
  };
  expect_near(a.value(kPoint, samples), b.value(kPoint, samples));
  expect_both([&](const LinearSum& f, Vector& g) { f.add_gradient(kPoint, samples, {}, g); });
  expect_both([&](const LinearSum& f, Vector& g) { f.add_gradient(kPoint, samples, weights, g); });
  expect_both([&](const LinearSum& f, Vector& g) {
    g.push_back(f.value_and_gradient(kPoint, samples, g));
  });
  expect_both([&](const LinearSum& f, Vector& g) { f.add_curvature(kPoint, samples, g); });
  expect_both([&](const LinearSum& f, Vector& g) {
    Vector c(samples.size());
    f.scalars(kPoint, samples, c);
    f.scatter(samples, c, g);
  });
  const Vector lipschitz_a = *a.sample_lipschitz(), lipschitz_b = *b.sample_lipschitz();
  for (std::size_t i = 0; i < kSamples; ++i) expect_near(lipschitz_a[i], lipschitz_b[i]);
  expect_near(a.squared_gradient_norms(kPoint, samples), b.squared_gradient_norms(kPoint, samples));
  expect_near(gradient_variance(a, kPoint), gradient_variance(b, kPoint));
}

TEST(CenteredSum, IsThatOfRowsMadeDenseForEveryLossAtEveryLevelOfVectorInstructions) {
  const std::string level_before(simd_level());
  for (const std::string& level : simd_levels()) {
    set_simd_level(level);
    for (const Shape& shape : kShapes) {
      Dataset data = sparse_data(shape);
      const Dataset dense = made_dense(data);
      center_columns(data);
      for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
        SCOPED_TRACE(testing::Message() << Loss::name << ", scaled " << shape.scaled
                                        << ", weighted " << shape.weighted << ", " << level);
        expect_same_sums(LinearSum(data, data.labels, Loss{}),
                         LinearSum(dense, data.labels, Loss{}));
      });
    }
  }
  set_simd_level(level_before);
}

// Scales whose squares are out of range go another way.
TEST(CenteredSum, TakesScalesThatCannotBeSquared) {
  Dataset data = sparse_data({});
  data.row_scale.assign(kSamples, 1);
  data.row_scale[0] = 1e-170;
  const Dataset dense = made_dense(data);
  center_columns(data);
  expect_same_sums(LinearSum(data, data.labels, PcaLoss{}),
                   LinearSum(dense, data.labels, PcaLoss{}));
}

TEST(CenteredSum, HasNoKeysButCostsNoMoreThanItsNonzeros) {
  Dataset data = sparse_data({});
  const AnyFiniteSum before = LinearSum(data, data.labels, LogisticLoss{});
  center_columns(data);
  const AnyFiniteSum centered = LinearSum(data, data.labels, LogisticLoss{});
  EXPECT_TRUE(before.has_keys() && before.has_local_gradient());
  EXPECT_FALSE(centered.has_keys() || centered.has_local_gradient());
  EXPECT_EQ(centered.mean_keys(), before.mean_keys());
}

TEST(CenteredSum, RefusesACenterOfAnotherSize) {
  Dataset data = sparse_data({});
  data.center = {1, 2};
  EXPECT_THROW(LinearSum(data, data.labels, LogisticLoss{}), ContractError);
}

// Far from the origin, where the difference of large squares has few digits or none.
TEST(Centering, LipschitzConstantsStayBounds) {
  for (const double offset : {1e6, 1.5e8, 1e9}) {
    const Random random(5);
    CsrMatrix matrix{.num_columns = 1};
    double mean = 0;
    for (std::size_t i = 0; i < kSamples; ++i) {
      matrix.columns.push_back(0);
      matrix.values.push_back(offset + random.uniform_at(i));
      matrix.offsets.push_back(matrix.columns.size());
      mean += (matrix.values.back() - offset) / kSamples;
    }
    Dataset data;
    data.rows = Rows::narrowed(matrix);
    data.labels.assign(kSamples, 1);
    center_columns(data);
    const Vector lipschitz = *LinearSum(data, data.labels, SquaredLoss{}).sample_lipschitz();
    for (std::size_t i = 0; i < kSamples; ++i)
      EXPECT_GE(lipschitz[i], std::pow(matrix.values[i] - offset - mean, 2)) << offset;
  }
}

}  // namespace
}  // namespace asynprox
