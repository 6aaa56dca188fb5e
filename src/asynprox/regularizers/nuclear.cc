#include "asynprox/regularizers/nuclear.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {
namespace {

using Matrix = Eigen::MatrixXd;

// X or its transpose, whichever is at least as long as wide, divided by its largest entry: squares
// neither overflow nor vanish. An empty or zero matrix has scale 0.
struct Tall {
  Matrix matrix;
  double scale = 0;
};

// Column by column, x is the transpose of what it is row by row.
bool transposed_is_tall(std::size_t size, std::int64_t columns) {
  return static_cast<std::size_t>(columns) >= size / static_cast<std::size_t>(columns);
}

Tall tall_matrix(std::span<const double> x, std::int64_t columns) {
  ensure(columns >= 1, "nuclear: a matrix without columns");
  const Eigen::Index c = columns;
  const Eigen::Index r = static_cast<Eigen::Index>(x.size()) / c;
  const Eigen::Map<const Matrix> transposed(x.data(), c, r);
  const double scale = x.empty() ? 0 : transposed.cwiseAbs().maxCoeff();
  if (scale == 0) return {};
  if (transposed_is_tall(x.size(), columns)) return {transposed / scale, scale};
  return {transposed.transpose() / scale, scale};
}

// The square factor R of A = Q R has A's singular values and right singular vectors.
Matrix square_factor(const Matrix& a) {
  if (a.rows() == a.cols()) return a;
  return Eigen::HouseholderQR<Matrix>(a)
      .matrixQR()
      .topRows(a.cols())
      .triangularView<Eigen::Upper>();
}

Eigen::VectorXd singular_values(const Matrix& a) {
  return Eigen::BDCSVD<Matrix>(square_factor(a)).singularValues();
}

}  // namespace

void Nuclear::bind(std::size_t dimension) const {
  if (columns < 1 || dimension % static_cast<std::size_t>(columns) != 0)
    throw ContractError(
        fmt::format("nuclear: columns: expected a whole number that divides the {} coordinates of "
                    "the model, got {}",
                    dimension, columns));
}

double Nuclear::value(std::span<const double> x) const {
  if (!all_finite(x)) return std::numeric_limits<double>::quiet_NaN();
  const Tall tall = tall_matrix(x, columns);
  return tall.scale == 0 ? 0 : lambda * (tall.scale * singular_values(tall.matrix).sum());
}

void Nuclear::prox(std::span<double> v, double eta) const {
  const double threshold = eta * lambda;
  if (threshold == 0 || !all_finite(v)) return;
  const auto [a, scale] = tall_matrix(v, columns);
  if (scale == 0) return;
  const Eigen::BDCSVD<Matrix> svd(square_factor(a), Eigen::ComputeFullV);
  const Eigen::VectorXd& s = svd.singularValues();
  const Eigen::Index kept = (s.array() > threshold / scale).count();

  // With A = U S W', the sum of (s_i - t) u_i w_i' over those kept is A times W (1 - t / S) W'.
  const Matrix w = svd.matrixV().leftCols(kept);
  const Eigen::VectorXd factors =
      (s.head(kept).array() - threshold / scale) / s.head(kept).array() * scale;
  const Matrix shrunk = (a * w) * factors.asDiagonal() * w.transpose();
  const Eigen::Index c = columns;
  Eigen::Map<Matrix> out(v.data(), c, static_cast<Eigen::Index>(v.size()) / c);
  if (transposed_is_tall(v.size(), columns)) {
    out = shrunk;
  } else {
    out = shrunk.transpose();
  }
}

double Nuclear::zero_strength(std::span<const double> v) const {
  if (!all_finite(v)) return std::numeric_limits<double>::infinity();
  const Tall tall = tall_matrix(v, columns);
  return tall.scale == 0 ? 0 : tall.scale * singular_values(tall.matrix)(0);
}

}  // namespace asynprox
