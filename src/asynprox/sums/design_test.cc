// Data that is scaled, standardised, centred and has an intercept without being made so: the same
// finite sum as of rows that are.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/problem.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 700, kDimension = 7;  // more than one piece
constexpr double kRelative = 1e-12;

// What data, and the model, may have beside rows.
struct Shape {
  bool scaled = false;
  bool weighted = false;
  bool standardized = false;
  bool centered = false;
  bool intercept = false;
};

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  for (int bits = 0; bits < 32; ++bits)
    shapes.push_back(
        {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0});
  return shapes;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << "scaled " << shape.scaled << ", weighted " << shape.weighted << ", standardized "
             << shape.standardized << ", centered " << shape.centered << ", intercept "
             << shape.intercept;
}

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

void treat(const Shape& shape, Dataset& data) {
  if (shape.standardized) standardize_columns(data);
  if (shape.centered) center_columns(data);
}

// s_i z_i, all of its entries.
Vector scaled_entries(const Dataset& data) {
  Vector entries(kSamples * kDimension, 0);
  for (std::size_t i = 0; i < kSamples; ++i)
    for (const auto& [column, value] : data.rows.row(i))
      entries[i * kDimension + column] = value * (data.row_scale.empty() ? 1 : data.row_scale[i]);
  return entries;
}

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const Dataset& data, const Vector& entries, std::size_t column) {
  double total = 0, mean = 0, square = 0;
  const auto weight = [&](std::size_t i) { return data.weights.empty() ? 1 : data.weights[i]; };
  for (std::size_t i = 0; i < kSamples; ++i) {
    total += weight(i);
    mean += weight(i) * entries[i * kDimension + column];
  }
  mean /= total;
  for (std::size_t i = 0; i < kSamples; ++i)
    square += weight(i) * std::pow(entries[i * kDimension + column] - mean, 2);
  return {mean, std::sqrt(square / total)};
}

// The rows a_i, all of their entries, by their definition; and a column of ones for the intercept.
Dataset made_dense(const Dataset& data, const Shape& shape) {
  Vector entries = scaled_entries(data);
  for (std::size_t j = 0; j < kDimension; ++j) {
    const auto [mean, deviation] = moments(data, entries, j);
    for (std::size_t i = 0; i < kSamples; ++i) {
      double& entry = entries[i * kDimension + j];
      if (shape.centered) entry -= mean;
      if (shape.standardized) entry /= deviation;
    }
  }
  CsrMatrix matrix{.num_columns = kDimension + (shape.intercept ? 1 : 0)};
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (Key j = 0; j < matrix.num_columns; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(j < kDimension ? entries[i * kDimension + j] : 1);
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

// A point of f's dimension.
Vector point_of(const LinearSum& f) {
  Vector x(f.dimension());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = Random(3).uniform_at(j) - 0.5;
  return x;
}

// Relative to the larger norm.
void expect_near(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  Vector difference = a;
  add_scaled(difference, -1, b);
  EXPECT_LE(norm(difference), kRelative * std::max(norm(a), norm(b)));
}
void expect_near(double a, double b) { expect_near(Vector{a}, Vector{b}); }

void expect_same_sums(const LinearSum& a, const LinearSum& b) {
  ASSERT_EQ(a.dimension(), b.dimension());
  const Vector x = point_of(a);
  const std::vector<SampleIndex> samples = some_samples();
  Vector weights(samples.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<double>(i % 5) - 1;
  const auto filled_by = [&](auto&& fill) {
    Vector g(x.size(), 0.25);
    fill(g);
    return g;
  };
  const auto expect_both = [&](auto&& fill) {
    expect_near(filled_by([&](Vector& g) { fill(a, g); }),
                filled_by([&](Vector& g) { fill(b, g); }));
  };
  expect_near(a.value(x, samples), b.value(x, samples));
  expect_both([&](const LinearSum& f, Vector& g) { f.add_gradient(x, samples, {}, g); });
  expect_both([&](const LinearSum& f, Vector& g) { f.add_gradient(x, samples, weights, g); });
  expect_both(
      [&](const LinearSum& f, Vector& g) { g.push_back(f.value_and_gradient(x, samples, g)); });
  expect_both([&](const LinearSum& f, Vector& g) { f.add_curvature(x, samples, g); });
  expect_both([&](const LinearSum& f, Vector& g) {
    Vector c(samples.size() * f.outputs());
    f.scalars(x, samples, c);
    f.scatter(samples, c, g);
  });
  const Vector lipschitz_a = *a.sample_lipschitz(), lipschitz_b = *b.sample_lipschitz();
  for (std::size_t i = 0; i < kSamples; ++i) expect_near(lipschitz_a[i], lipschitz_b[i]);
  expect_near(a.squared_gradient_norms(x, samples), b.squared_gradient_norms(x, samples));
  expect_near(gradient_variance(a, x), gradient_variance(b, x));
}

TEST(Design, IsThatOfRowsMadeDenseForEveryLossAtEveryLevelOfVectorInstructions) {
  const std::string level_before(simd_level());
  for (const std::string& level : simd_levels()) {
    set_simd_level(level);
    for (const Shape& shape : all_shapes()) {
      Dataset data = sparse_data(shape);
      const Dataset dense = made_dense(data, shape);
      treat(shape, data);
      for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
        SCOPED_TRACE(testing::Message() << Loss::name << ", " << shape << ", " << level);
        expect_same_sums(LinearSum(data, data.labels, Loss{}, {.intercept = shape.intercept}),
                         LinearSum(dense, data.labels, Loss{}));
      });
    }
  }
  set_simd_level(level_before);
}

// What a keyed worker computes, put back in its places.
Vector keyed_gradient(const LinearSum& f, const Vector& x, Samples samples) {
  KeySet keys(f.dimension());
  LocalRows batch;
  Vector g(f.dimension(), 0);
  f.localize(samples, keys, batch);
  Vector x_local, g_local(keys.keys().size(), 0);
  for (const Key key : keys.keys()) x_local.push_back(x[key]);
  f.add_local_gradient(batch, x_local, samples, {}, g_local);
  for (std::size_t i = 0; i < g_local.size(); ++i) g[keys.keys()[i]] = g_local[i];
  return g;
}

TEST(Design, LocalGradientsAreThoseOfTheWhole) {
  for (const Shape& shape : all_shapes()) {
    if (shape.centered) continue;
    SCOPED_TRACE(testing::Message() << shape);
    Dataset data = sparse_data(shape);
    treat(shape, data);
    const LinearSum f(data, data.labels, LogisticLoss{}, {.intercept = shape.intercept});
    ASSERT_TRUE(AnyFiniteSum(f).has_local_gradient());
    const Vector x = point_of(f);
    Vector g(x.size(), 0);
    f.add_gradient(x, some_samples(), {}, g);
    expect_near(keyed_gradient(f, x, some_samples()), g);
  }
}

TEST(Design, GramMatrixIsThatOfTheRowsMadeDense) {
  const std::vector<SampleIndex> samples = some_samples();
  Vector weights(samples.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = Random(8).uniform_at(i);
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << shape);
    Dataset data = sparse_data(shape);
    treat(shape, data);
    const Design design(data, 1, shape.intercept);
    EXPECT_EQ(design.has_gram(), !shape.centered);
    if (!design.has_gram()) continue;
    std::vector<Key> keys = {1, 2, kDimension - 1};
    if (shape.intercept) keys.push_back(kDimension);
    const Gram gram = design.gram(samples, weights, keys);
    Vector expected(keys.size() * keys.size(), 0);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Vector row(design.dimension(), 0), c = {1};
      Design::Sum sum = design.sum_into(row);
      design.scatter(std::span(samples).subspan(i, 1), c, sum);
      design.finish(sum);
      for (std::size_t a = 0; a < keys.size(); ++a)
        for (std::size_t b = 0; b < keys.size(); ++b)
          expected[a * keys.size() + b] += weights[i] * row[keys[a]] * row[keys[b]];
    }
    expect_near(gram.entries, expected);
  }
}

// Output c's part of a vector of the model.
Vector part(const Vector& x, std::size_t outputs, std::size_t c) {
  Vector part;
  for (std::size_t j = c; j < x.size(); j += outputs) part.push_back(x[j]);
  return part;
}

// C x C weights per sample couple the coefficients of two outputs.
TEST(Design, GramMatrixOfSeveralOutputsIsThatOfTheRowsMadeDense) {
  constexpr std::size_t kOutputs = 3;
  const std::vector<SampleIndex> samples = some_samples();
  Vector weights(samples.size() * kOutputs * kOutputs);
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t c = 0; c < kOutputs; ++c)
      for (std::size_t k = 0; k < kOutputs; ++k)
        weights[(i * kOutputs + c) * kOutputs + k] = Random(8).uniform_at(i * 9 + c + k) - 0.3;
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << shape);
    Dataset data = sparse_data(shape);
    treat(shape, data);
    const Design design(data, kOutputs, shape.intercept);
    EXPECT_EQ(design.has_gram(), !shape.centered);
    if (!design.has_gram()) continue;
    // Features of one, two and all outputs.
    std::vector<Key> keys = {0, 4, 5, 6, 7, 8, 20};
    if (shape.intercept) keys.insert(keys.end(), {21, 22, 23});
    const std::size_t size = keys.size();
    const Gram gram = design.gram(samples, weights, keys);
    Vector expected(size * size, 0);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Vector row(design.dimension(), 0), c(kOutputs, 1);
      Design::Sum sum = design.sum_into(row);
      design.scatter(std::span(samples).subspan(i, 1), c, sum);
      design.finish(sum);
      for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b < size; ++b)
          expected[a * size + b] +=
              weights[(i * kOutputs + keys[a] % kOutputs) * kOutputs + keys[b] % kOutputs] *
              row[keys[a]] * row[keys[b]];
    }
    expect_near(gram.entries, expected);
    EXPECT_GT(gram.products, 0u);
  }
}

// Several outputs are as many models of one, side by side.
TEST(Design, OfSeveralOutputsIsThatOfEach) {
  constexpr std::size_t kOutputs = 3;
  const std::vector<SampleIndex> samples = some_samples();
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << shape);
    Dataset data = sparse_data(shape);
    treat(shape, data);
    const Design one(data, 1, shape.intercept), many(data, kOutputs, shape.intercept);
    Vector x(many.dimension()), u(samples.size() * kOutputs), c(u.size()), g(x.size(), 0.5);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = Random(6).uniform_at(j) - 0.5;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = Random(7).uniform_at(i) - 0.5;
    many.outputs_at(many.at(x), samples, u);
    Vector in_place = c;
    Design::Sum sum = many.sum_into(g);
    many.scatter(samples, in_place, sum);
    many.finish(sum);
    for (std::size_t output = 0; output < kOutputs; ++output) {
      const Vector x_c = part(x, kOutputs, output);
      Vector u_c(samples.size()), c_c = part(c, kOutputs, output), g_c(x_c.size(), 0.5);
      one.outputs_at(one.at(x_c), samples, u_c);
      Design::Sum sum_c = one.sum_into(g_c);
      one.scatter(samples, c_c, sum_c);
      one.finish(sum_c);
      expect_near(part(u, kOutputs, output), u_c);
      expect_near(part(g, kOutputs, output), g_c);
    }
  }
}

TEST(Design, OutputsWithoutCoefficientsAreTheIntercept) {
  const std::vector<SampleIndex> samples = some_samples();
  for (const Shape& shape : all_shapes())
    for (const std::size_t outputs : {1, 3}) {
      SCOPED_TRACE(testing::Message() << shape << ", " << outputs);
      Dataset data = sparse_data(shape);
      treat(shape, data);
      const Design design(data, outputs, shape.intercept);
      Vector x(design.dimension(), 0), u(samples.size() * outputs, 9);
      const double intercept = shape.intercept ? 0.7 : 0;
      if (shape.intercept) std::fill_n(x.rbegin(), outputs, intercept);
      design.outputs_at(design.at(x), samples, u);
      EXPECT_EQ(u, Vector(u.size(), intercept));
    }
}

TEST(Design, KeysAreTheCoordinatesThatAGradientTouches) {
  constexpr std::size_t kOutputs = 3;
  const std::vector<SampleIndex> samples = {3, 11, 3};
  for (const std::size_t outputs : {std::size_t{1}, kOutputs})
    for (const bool intercept : {false, true}) {
      const Dataset data = sparse_data({});
      const Design design(data, outputs, intercept);
      Vector c(samples.size() * outputs, 1), g(design.dimension(), 0);
      Design::Sum sum = design.sum_into(g);
      design.scatter(samples, c, sum);
      design.finish(sum);
      KeySet keys(design.dimension());
      design.add_keys(samples, keys);
      EXPECT_EQ(keys.keys().size(), count_nonzeros(g));
      for (const Key key : keys.keys()) EXPECT_NE(g[key], 0);
    }
}

// Scales whose squares are out of range go another way.
TEST(Design, TakesScalesThatCannotBeSquared) {
  Dataset data = sparse_data({});
  data.row_scale.assign(kSamples, 1);
  data.row_scale[0] = 1e-170;
  const Dataset dense = made_dense(data, {.centered = true});
  center_columns(data);
  expect_same_sums(LinearSum(data, data.labels, PcaLoss{}),
                   LinearSum(dense, data.labels, PcaLoss{}));
}

TEST(Design, OfCentredDataHasNoKeysButCostsNoMoreThanItsNonzeros) {
  Dataset data = sparse_data({});
  const AnyFiniteSum before = LinearSum(data, data.labels, LogisticLoss{});
  center_columns(data);
  const AnyFiniteSum centered = LinearSum(data, data.labels, LogisticLoss{});
  EXPECT_TRUE(before.has_keys() && before.has_local_gradient());
  EXPECT_FALSE(centered.has_keys() || centered.has_local_gradient());
  EXPECT_EQ(centered.mean_keys(), before.mean_keys());
}

TEST(Design, RefusesACenterOfAnotherSize) {
  Dataset data = sparse_data({});
  data.center = {1, 2};
  EXPECT_THROW(LinearSum(data, data.labels, LogisticLoss{}), ContractError);
}

// Neither by its mean, nor by what rounding leaves of the weights.
TEST(Standardizing, LeavesAConstantColumnAndFindsTheSpreadOfOneFarFromTheOrigin) {
  for (const std::size_t n : {10, 30, 300, 5000}) {
    CsrMatrix matrix{.num_columns = 2};
    for (std::size_t i = 0; i < n; ++i) {
      matrix.columns.insert(matrix.columns.end(), {0, 1});
      matrix.values.insert(matrix.values.end(), {3.7, 1.7e9 + static_cast<double>(i)});
      matrix.offsets.push_back(matrix.columns.size());
    }
    Dataset data;
    data.rows = Rows::narrowed(matrix);
    standardize_columns(data);
    const auto count = static_cast<double>(n);
    EXPECT_EQ(data.column_scale[0], 1);
    EXPECT_NEAR(1 / data.column_scale[1], std::sqrt((count * count - 1) / 12), 1e-6 * count);
  }
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

TEST(Design, CenteredScatterTakesTheMeansFromAllEntriesStoredOrNot) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(testing::Message() << shape);
    const Dataset data = sparse_data(shape);
    const LinearSum sum(data, data.labels, LogisticLoss{}, {.intercept = shape.intercept});
    const Vector means = sum.column_moments()->means;
    const std::vector<SampleIndex> all = all_samples(kSamples);
    const Random random(2);
    Vector c(kSamples), plain(sum.dimension(), 0), centered(sum.dimension(), 0);
    for (std::size_t i = 0; i < kSamples; ++i) c[i] = random.uniform_at(i) - 0.3;
    sum.scatter(all, c, plain);
    sum.centered_scatter(all, c, means, centered);
    const double total = std::accumulate(c.begin(), c.end(), 0.0);
    for (std::size_t j = 0; j < plain.size(); ++j)
      EXPECT_NEAR(centered[j], plain[j] - means[j] * total, 1e-9) << j;
  }
}

}  // namespace
}  // namespace asynprox
