// Laws of every form of rows, at every level of vector instructions, against a twin that knows
// neither: the order of summation as row_kernels.h states it.
#include "asynprox/linalg/rows.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <limits>
#include <set>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/linalg/borrowed_forms_testing.h"
#include "asynprox/linalg/rows_builder.h"
#include "asynprox/linalg/simd.h"

namespace asynprox {
namespace {

struct FormCase {
  std::size_t num_columns;
  std::function<double(std::uint64_t)> value;  // of 64 random bits
  std::string form;
};

double one(std::uint64_t) { return 1; }
double byte(std::uint64_t bits) { return static_cast<double>(bits % 256); }
double single(std::uint64_t bits) {
  return static_cast<float>(static_cast<double>(bits) * 0x1p-60);
}
double full(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53 - 0.5; }

const std::vector<FormCase>& form_cases() {
  static const std::vector<FormCase> cases = {{7, one, "16-bit columns, all ones"},
                                              {300, byte, "16-bit columns, 8-bit integers"},
                                              {300, single, "16-bit columns, floats"},
                                              {300, full, "16-bit columns, doubles"},
                                              {65536, one, "16-bit columns, all ones"},
                                              {65537, one, "32-bit columns, all ones"},
                                              {65537, byte, "32-bit columns, 8-bit integers"},
                                              {65537, single, "32-bit columns, floats"},
                                              {65537, full, "32-bit columns, doubles"}};
  return cases;
}

// About 20 entries a row, the first and last column among them; every fifth row is empty.
CsrMatrix random_matrix(const FormCase& form, std::size_t num_rows) {
  CsrMatrix matrix{.num_columns = form.num_columns};
  const Random random(form.num_columns);
  std::uint64_t counter = 0;
  for (std::size_t i = 0; i < num_rows; ++i) {
    for (std::size_t j = 0; i % 5 != 4 && j < form.num_columns; ++j) {
      const bool border = j == 0 || j + 1 == form.num_columns;
      if (!border && random.index_at(counter++, form.num_columns / 20 + 2) != 0) continue;
      matrix.columns.push_back(static_cast<Key>(j));
      matrix.values.push_back(form.value(random.at(counter++)));
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

class Twin {
 public:
  explicit Twin(const CsrMatrix& matrix) : matrix_(matrix) {}

  double dot_of(SampleIndex sample, const Vector& x) const {
    double lanes[4] = {0, 0, 0, 0};
    const std::vector<RowEntry> row = entries(sample);
    for (std::size_t e = 0; e < row.size(); ++e) lanes[e % 4] += row[e].value * x[row[e].column];
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  }
  void scatter(SampleIndex sample, double c, Vector& g) const {
    for (const auto& [column, value] : entries(sample)) g[column] += c * value;
  }

 private:
  std::vector<RowEntry> entries(SampleIndex sample) const {
    std::vector<RowEntry> row;
    for (auto e = matrix_.offsets[sample]; e < matrix_.offsets[sample + 1]; ++e)
      row.push_back({matrix_.columns[e], matrix_.values[e]});
    return row;
  }

  const CsrMatrix& matrix_;
};

std::vector<std::uint64_t> bits(const Vector& v) {
  std::vector<std::uint64_t> all;
  for (const double v_j : v) all.push_back(std::bit_cast<std::uint64_t>(v_j));
  return all;
}

Vector random_vector(std::size_t size, std::uint64_t seed) {
  Vector v(size);
  for (std::size_t j = 0; j < size; ++j) v[j] = full(Random(seed).at(j));
  return v;
}

// Repeats some samples, and is longer than the kernels look ahead.
std::vector<SampleIndex> random_samples(std::size_t count, std::size_t num_rows) {
  std::vector<SampleIndex> samples(count);
  for (std::size_t i = 0; i < count; ++i)
    samples[i] = static_cast<SampleIndex>(Random(3).index_at(i, num_rows));
  return samples;
}

void expect_kernels_equal_the_twin(const Rows& rows, const Twin& twin,
                                   const std::vector<SampleIndex>& samples) {
  const Vector x = random_vector(rows.num_columns(), 1), c = random_vector(samples.size(), 2);
  Vector u(samples.size(), -1), u_twin(samples.size());
  Vector g = x, g_twin = x, products = x, products_twin = x;
  rows.dots(samples, x, u);
  rows.scatter(samples, c, g);
  rows.add_products(samples, c, x, products);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    u_twin[i] = twin.dot_of(samples[i], x);
    twin.scatter(samples[i], c[i], g_twin);
    twin.scatter(samples[i], c[i] * u_twin[i], products_twin);
  }
  EXPECT_EQ(bits(u), bits(u_twin)) << rows.form();
  EXPECT_EQ(bits(g), bits(g_twin)) << rows.form();
  EXPECT_EQ(bits(products), bits(products_twin)) << rows.form();
}

// The matrix in every layout, as narrow and as wide as it can be stored, and as others have it.
std::vector<Rows> all_forms(const CsrMatrix& matrix) {
  const RowArrays narrow = Rows::narrowed(matrix).arrays();
  std::vector<Rows> forms;
  for (const RowLayout layout : {RowLayout::compressed, RowLayout::blocks, RowLayout::slots})
    for (const ColumnType column_type : {narrow.column_type, ColumnType::u32})
      for (const ValueType value_type : {narrow.value_type, ValueType::f64}) {
        RowsBuilder builder;
        builder.add(matrix);
        try {
          forms.push_back(
              std::move(builder).build_as(matrix.num_columns, {layout, column_type, value_type}));
        } catch (const ContractError&) {  // a layout that has no room for these rows
        }
      }
  for (const Rows& rows : borrowed_forms(matrix)) forms.push_back(rows);
  return forms;
}

TEST(EveryForm, IsChosenByTheValuesAndTheNumberOfColumns) {
  for (const FormCase& form : form_cases())
    EXPECT_EQ(Rows::narrowed(random_matrix(form, 20)).form(), form.form);
  EXPECT_EQ(Rows::plain(random_matrix(form_cases()[0], 20)).form(), "32-bit columns, doubles");
}

TEST(EveryForm, GivesTheBitsOfTheTwinAtEveryLevelOfVectorInstructions) {
  const std::string level_before(simd_level());
  std::set<RowLayout> layouts;
  for (const std::string& level : simd_levels()) {
    set_simd_level(level);
    EXPECT_EQ(simd_level(), level);
    for (const FormCase& form : form_cases()) {
      std::vector<CsrMatrix> matrices = {random_matrix(form, 20)};
      if (form.num_columns < 1000) matrices.push_back(filled_up(matrices[0]));
      for (const CsrMatrix& matrix : matrices)
        for (const Rows& rows : all_forms(matrix)) {
          layouts.insert(rows.arrays().layout);
          for (const std::size_t count : {0, 1, 3, 50})
            expect_kernels_equal_the_twin(rows, Twin(matrix), random_samples(count, 20));
        }
    }
  }
  EXPECT_EQ(layouts.size(), 4u);
  set_simd_level(level_before);
}

TEST(EveryForm, GivesTheBitsOfTheTwinForRowsOfEveryLength) {
  for (const double value : {1.0, 7.0, 0.5, 0.1})
    for (std::size_t length = 0; length <= 40; ++length) {
      CsrMatrix matrix{.num_columns = 41};
      for (std::size_t e = 0; e < length; ++e) {
        matrix.columns.push_back(static_cast<Key>(e));
        matrix.values.push_back(value);
      }
      matrix.offsets = {0, length, length};
      CsrMatrix equal = matrix;
      equal.offsets = {0, length};
      for (const Rows& rows : all_forms(matrix))
        expect_kernels_equal_the_twin(rows, Twin(matrix), {0, 1, 0, 1, 0, 0});
      for (const Rows& rows : all_forms(equal))
        expect_kernels_equal_the_twin(rows, Twin(equal), {0, 0});
    }
}

TEST(SimdLevels, AreRefusedWithTheListOfThoseThatAreThere) {
  try {
    set_simd_level("mmx");
    FAIL();
  } catch (const ContractError& error) {
    EXPECT_NE(std::string(error.what()).find(simd_levels().front()), std::string::npos);
  }
}

TEST(EveryForm, GivesBackTheEntriesItWasMadeOf) {
  for (const FormCase& form : form_cases()) {
    const CsrMatrix matrix = random_matrix(form, 20);
    const Rows rows = Rows::narrowed(matrix);
    EXPECT_EQ(rows.num_rows(), 20u);
    EXPECT_EQ(rows.num_columns(), form.num_columns);
    EXPECT_EQ(rows.num_nonzeros(), matrix.columns.size());
    EXPECT_LE(rows.bytes(), Rows::plain(matrix).bytes());
    std::vector<RowEntry> expected, got;
    for (std::size_t e = 0; e < matrix.columns.size(); ++e)
      expected.push_back({matrix.columns[e], matrix.values[e]});
    for (std::size_t i = 0; i < rows.num_rows(); ++i)
      for (const RowEntry& entry : rows.row(i)) got.push_back(entry);
    EXPECT_EQ(got, expected) << form.form;
    EXPECT_EQ(rows.squared_norms(), Rows::plain(matrix).squared_norms());
  }
}

TEST(EveryBorrowedForm, GivesWhatThePlainOneGives) {
  for (const FormCase& form : form_cases()) {
    std::vector<CsrMatrix> matrices = {random_matrix(form, 20)};
    if (form.num_columns < 1000) matrices.push_back(filled_up(matrices[0]));
    for (const CsrMatrix& matrix : matrices) {
      const Rows plain = Rows::plain(matrix);
      const auto samples = random_samples(30, 20);
      KeySet expected(form.num_columns);
      plain.add_keys(samples, expected);
      for (const Rows& rows : borrowed_forms(matrix)) {
        EXPECT_NO_THROW(rows.check_entries());
        EXPECT_EQ(rows.squared_norms(), plain.squared_norms()) << rows.form();
        for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(rows.row(i), plain.row(i)) << rows.form();
        KeySet keys(form.num_columns);
        rows.add_keys(samples, keys);
        EXPECT_TRUE(std::ranges::equal(keys.keys(), expected.keys())) << rows.form();
      }
    }
  }
}

TEST(EveryForm, AddsTheColumnsOfItsRowsAsKeys) {
  for (const FormCase& form : form_cases()) {
    const Rows rows = Rows::narrowed(random_matrix(form, 20));
    const auto samples = random_samples(30, 20);
    KeySet keys(rows.num_columns()), expected(rows.num_columns());
    rows.add_keys(samples, keys);
    for (const SampleIndex sample : samples)
      for (const RowEntry& entry : rows.row(sample)) expected.add(entry.column);
    EXPECT_TRUE(std::ranges::equal(keys.keys(), expected.keys())) << form.form;
  }
}

TEST(EveryForm, GivesTheGramMatrixOfTheColumnsListed) {
  for (const FormCase& form : form_cases()) {
    const CsrMatrix matrix = random_matrix(form, 20);
    std::vector<Key> columns;
    for (const Key column : matrix.columns)
      if (column % 3 != 1) columns.push_back(column);
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto samples = random_samples(30, 20);
    const std::size_t size = columns.size();
    Vector weights(samples.size()), expected(size * size, 0.25);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = Random(4).uniform_at(i);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Vector row(matrix.num_columns, 0);
      Twin(matrix).scatter(samples[i], 1, row);
      for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = a; b < size; ++b)
          expected[a * size + b] += weights[i] * row[columns[a]] * row[columns[b]];
    }
    for (const Rows& rows : all_forms(matrix)) {
      Vector gram(size * size, 0.25);
      EXPECT_GT(rows.add_gram(samples, weights, columns, size, gram), 0u);
      for (std::size_t e = 0; e < gram.size(); ++e)
        ASSERT_NEAR(gram[e], expected[e], 1e-13 * (1 + std::abs(expected[e]))) << form.form;
    }
  }
}

// More rows than are worked on at once, of one to eight columns.
TEST(Rows, OfOnesHaveTheSquaresOfPlainOnes) {
  CsrMatrix matrix{.num_columns = 20};
  Vector weights, scales;
  for (Key i = 0; i < 2500; ++i) {
    for (Key k = 0; k <= i % 8; ++k) {
      matrix.columns.push_back(i % 13 + k);
      matrix.values.push_back(1);
    }
    matrix.offsets.push_back(matrix.columns.size());
    weights.push_back(1 + static_cast<double>(i % 7));
  }
  for (Key j = 0; j < 20; ++j) scales.push_back(0.5 + static_cast<double>(j));
  const Rows ones = Rows::narrowed(matrix), plain = Rows::plain(matrix);
  ASSERT_EQ(ones.arrays().value_type, ValueType::ones);
  EXPECT_EQ(ones.column_squares(weights), plain.column_squares(weights));
  EXPECT_EQ(ones.column_squares(), plain.column_squares());
  EXPECT_EQ(ones.squared_norms({}, {}), plain.squared_norms({}, {}));
  EXPECT_EQ(ones.squared_norms({}, scales), plain.squared_norms({}, scales));
}

TEST(Rows, OfNothingDoNothing) {
  const Rows none, no_columns = Rows::narrowed({.offsets = {0, 0, 0}});
  EXPECT_EQ(none.num_rows(), 0u);
  EXPECT_EQ(no_columns.num_rows(), 2u);
  EXPECT_EQ(no_columns.num_columns(), 0u);
  Vector u = {5, 5}, g;
  no_columns.dots(std::vector<SampleIndex>{1, 0}, {}, u);
  no_columns.scatter(std::vector<SampleIndex>{1, 0}, u, g);
  EXPECT_EQ(u, (Vector{0, 0}));
}

TEST(Rows, AreWorkedByHand) {
  //   z_0 = (2, 0, 3)   z_1 = (0, 0, 0)   z_2 = (0, 1, 0)
  const Rows rows = Rows::narrowed(
      {.num_columns = 3, .offsets = {0, 2, 2, 3}, .columns = {0, 2, 1}, .values = {2, 3, 1}});
  const std::vector<SampleIndex> samples = {0, 1, 2, 0};
  Vector u(4), g(3, 0);
  rows.dots(samples, Vector{1, 10, 100}, u);
  rows.scatter(samples, Vector{1, 1, 5, 10}, g);
  EXPECT_EQ(u, (Vector{302, 0, 10, 302}));
  EXPECT_EQ(g, (Vector{22, 5, 33}));
  EXPECT_EQ(rows.squared_norms(), (Vector{13, 0, 1}));
}

std::string form_of(double value) {
  return std::string(
      Rows::narrowed({.num_columns = 1, .offsets = {0, 1}, .columns = {0}, .values = {value}})
          .form());
}

TEST(Narrowing, LosesNothing) {
  EXPECT_EQ(form_of(255), "16-bit columns, 8-bit integers");
  EXPECT_EQ(form_of(0), "16-bit columns, 8-bit integers");
  for (const double value : {256.0, -1.0, 0.5, -0.0, 0x1p-149, 0x1.fffffep127})
    EXPECT_EQ(form_of(value), "16-bit columns, floats") << value;
  for (const double value : {0.1, 1e300, 0x1p-150, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(form_of(value), "16-bit columns, doubles") << value;
}

TEST(Rows, RefuseAMatrixThatIsNotOne) {
  const CsrMatrix good = {.num_columns = 3, .offsets = {0, 2}, .columns = {0, 2}, .values = {1, 1}};
  EXPECT_NO_THROW(Rows::narrowed(good));
  const auto refuses = [&](auto spoil) {
    CsrMatrix bad = good;
    spoil(bad);
    EXPECT_THROW(Rows::narrowed(bad), ContractError);
  };
  refuses([](CsrMatrix& m) { m.offsets = {}; });
  refuses([](CsrMatrix& m) { m.offsets = {1, 2}; });
  refuses([](CsrMatrix& m) { m.offsets = {0, 1}; });
  refuses([](CsrMatrix& m) { m.offsets = {0, 3, 2}; });
  refuses([](CsrMatrix& m) { m.values.pop_back(); });
  refuses([](CsrMatrix& m) { m.columns = {2, 2}; });
  refuses([](CsrMatrix& m) { m.columns = {2, 0}; });
  refuses([](CsrMatrix& m) { m.columns = {0, 3}; });
}

TEST(Rows, RefuseVectorsThatAreTooShort) {
  const Rows rows =
      Rows::narrowed({.num_columns = 3, .offsets = {0, 1}, .columns = {2}, .values = {1}});
  Vector one_entry(1), three(3);
  EXPECT_THROW(rows.dots(std::vector<SampleIndex>{0}, one_entry, one_entry), ContractError);
  EXPECT_THROW(rows.dots(std::vector<SampleIndex>{0}, three, {}), ContractError);
  EXPECT_THROW(rows.scatter(std::vector<SampleIndex>{0}, one_entry, one_entry), ContractError);
  EXPECT_THROW(rows.row(1), ContractError);
}

}  // namespace
}  // namespace asynprox
