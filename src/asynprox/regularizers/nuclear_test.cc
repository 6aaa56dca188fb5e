// The nuclear norm's prox against a full singular value decomposition of another algorithm, and by
// its optimality conditions.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Case {
  Eigen::Index rows, columns, rank;
  double scale;
};

const Case kCases[] = {{1, 1, 1, 1},    {1, 7, 1, 1},      {7, 1, 1, 1e3}, {5, 5, 5, 1},
                       {9, 4, 4, 1e-3}, {4, 9, 2, 1},      {30, 6, 3, 1},  {6, 30, 6, 1e5},
                       {40, 40, 12, 1}, {20, 3, 1, 1e100}, {60, 25, 25, 1}};

RowMajor random_matrix(const Case& c, const Random& random) {
  const Vector left = random_vector(random.stream(1), c.rows * c.rank, 1);
  const Vector right = random_vector(random.stream(2), c.rank * c.columns, 1);
  return c.scale * (Eigen::Map<const RowMajor>(left.data(), c.rows, c.rank) *
                    Eigen::Map<const RowMajor>(right.data(), c.rank, c.columns));
}

Vector entries(const RowMajor& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

void for_many_cases(auto&& check) {
  for (const Case& c : kCases)
    for (std::uint64_t i = 0; i < 12; ++i) {
      const RowMajor matrix = random_matrix(c, Random(95).stream(i));
      const double size = matrix.norm();
      if (size == 0) continue;
      // From far below the smallest singular value to nearly all.
      const double strength = size * std::pow(10, -static_cast<double>(i) / 2);
      const Nuclear h{.lambda = strength, .columns = c.columns};
      const Vector x = prox_of(AnyRegularizer(h).bound(matrix.size()), entries(matrix), 1);
      check(h, matrix, RowMajor(Eigen::Map<const RowMajor>(x.data(), c.rows, c.columns)));
    }
}

TEST(NuclearProx, EqualsAFullDecomposition) {
  for_many_cases([](const Nuclear& h, const RowMajor& v, const RowMajor& x) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(v, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const Eigen::VectorXd s = (svd.singularValues().array() - h.lambda).max(0);
    const RowMajor expected = svd.matrixU() * s.asDiagonal() * svd.matrixV().transpose();
    ASSERT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-13 * v.norm());
    EXPECT_NEAR(h.value(entries(v)), h.lambda * svd.singularValues().sum(),
                1e-13 * h.lambda * svd.singularValues().sum());
  });
}

// v - x is lambda times a subgradient of the norm at x: of length lambda in the largest singular
// value, and aligned with x.
TEST(NuclearProx, SatisfiesItsOptimalityConditions) {
  for_many_cases([](const Nuclear& h, const RowMajor& v, const RowMajor& x) {
    const Eigen::MatrixXd rest = v - x;
    const double largest = Eigen::JacobiSVD<Eigen::MatrixXd>(rest).singularValues()(0);
    const double tolerance = 1e-12 * v.norm();
    ASSERT_LE(largest, h.lambda + tolerance);
    const double aligned = rest.cwiseProduct(x).sum();
    ASSERT_NEAR(aligned, h.value(entries(x)), tolerance * (v.norm() + h.lambda));
  });
}

TEST(NuclearProx, LowersTheRankAndEndsAtExactZeros) {
  // Singular values 5 and 2.
  const Nuclear h{.lambda = 3, .columns = 2};
  const Vector v = {5, 0, 0, -2, 0, 0};
  const Vector x = prox_of(AnyRegularizer(h).bound(6), v, 1);
  EXPECT_NEAR(x[0], 2, 1e-15);
  EXPECT_NEAR(norm(x), 2, 1e-15);
  EXPECT_EQ(h.value(v), 21);
  EXPECT_EQ(prox_of(AnyRegularizer(h).bound(6), v, 2), Vector(6, 0.0));
}

TEST(Nuclear, RefusesColumnsThatDoNotDivideTheModel) {
  const auto error_of = [](std::int64_t columns) -> std::string {
    try {
      AnyRegularizer(Nuclear{.lambda = 1, .columns = columns}).bound(6);
    } catch (const ContractError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(3), "no error");
  EXPECT_EQ(error_of(0),
            "nuclear: columns: expected a whole number that divides the 6 coordinates of the "
            "model, got 0");
  EXPECT_EQ(error_of(4),
            "nuclear: columns: expected a whole number that divides the 6 coordinates of the "
            "model, got 4");
  EXPECT_EQ(error_of(-2), "nuclear: columns: expected a whole number >= 0, got -2");
  EXPECT_THROW(make_regularizer(parse_spec("nuclear:1,columns=1.5"), nullptr), ContractError);
}

}  // namespace
}  // namespace asynprox
