#include "asynprox/losses/multinomial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/losses/exponential_arrays.h"

namespace asynprox {
namespace {

// Numbers that are handled at a time, so that they stay in the nearest cache.
constexpr std::size_t kPiece = 1024;

std::size_t class_of(double y, std::size_t num_outputs) {
  // The message is made only where it is needed: this is called for each sample.
  if (!(y >= 0 && y < static_cast<double>(num_outputs)))
    throw ContractError(fmt::format("labels: expected a class from 0 to {}, got {}",
                                    static_cast<std::ptrdiff_t>(num_outputs) - 1, y));
  return static_cast<std::size_t>(y);
}

// out = u - max u: no exponential of these overflows, and one of them is 1.
void shift(std::span<const double> u, std::span<double> out) {
  const double most = *std::ranges::max_element(u);
  for (std::size_t c = 0; c < u.size(); ++c) out[c] = u[c] - most;
}

// The sum of all but one.
double sum_without(std::size_t left_out, std::span<const double> e) {
  double sum = 0;
  for (std::size_t c = 0; c < left_out; ++c) sum += e[c];
  for (std::size_t c = left_out + 1; c < e.size(); ++c) sum += e[c];
  return sum;
}

// phi from the outputs and e_c = exp(u_c - max u). The largest e_c is 1: log1p of the others keeps
// the digits of a loss near 0.
double value_from(std::span<const double> u, std::span<const double> e, std::size_t y) {
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(u) - u.begin());
  return u[largest] - u[y] + std::log1p(sum_without(largest, e));
}

// In place, from e to p, less 1 for y: without the difference 1 - p_y, which would lose digits.
void derivative_from(std::span<double> e, std::size_t y) {
  const double others = sum_without(y, e);
  const double inverse = 1 / (others + e[y]);
  for (double& e_c : e) e_c *= inverse;
  e[y] = -others * inverse;
}

// Calls work(u, y, first) for one piece of the samples after another, `first` their first.
void for_each_piece(std::span<const double> u, std::span<const double> y, auto&& work) {
  if (y.empty()) return;
  const std::size_t num_outputs = u.size() / y.size();
  const std::size_t piece =
      std::max<std::size_t>(1, kPiece / std::max<std::size_t>(1, num_outputs));
  for (std::size_t first = 0; first < y.size(); first += piece) {
    const std::size_t size = std::min(piece, y.size() - first);
    work(u.subspan(first * num_outputs, size * num_outputs), y.subspan(first, size), first);
  }
}

}  // namespace

double MultinomialLoss::value(std::span<const double> u, double y) const {
  const std::size_t y_class = class_of(y, u.size());
  std::vector<double> e(u.size());
  shift(u, e);
  for (double& e_c : e) e_c = std::exp(e_c);
  return value_from(u, e, y_class);
}

void MultinomialLoss::derivative(std::span<const double> u, double y, std::span<double> out) const {
  const std::size_t y_class = class_of(y, u.size());
  shift(u, out);
  for (double& e_c : out) e_c = std::exp(e_c);
  derivative_from(out, y_class);
}

double MultinomialLoss::conjugate(std::span<const double> theta, double y) const {
  const std::size_t y_class = class_of(y, theta.size());
  const double rounding =
      4 * static_cast<double>(theta.size()) * std::numeric_limits<double>::epsilon();
  double total = 0, entropy = 0;
  for (std::size_t c = 0; c < theta.size(); ++c) {
    const double q = c == y_class ? 1 + theta[c] : theta[c];
    if (!(q >= -rounding)) return std::numeric_limits<double>::infinity();
    total += theta[c];
    if (q > 0) entropy += q * (c == y_class ? std::log1p(theta[c]) : std::log(q));
  }
  return std::abs(total) <= rounding ? entropy : std::numeric_limits<double>::infinity();
}

// 1 - p_c is the sum of the others, and for the class y minus its derivative, to the last digit.
void MultinomialLoss::second_derivative(std::span<const double> derivative, double y,
                                        std::span<double> out) const {
  const std::size_t C = derivative.size(), y_class = class_of(y, C);
  const auto p = [&](std::size_t c) { return c == y_class ? 1 + derivative[c] : derivative[c]; };
  for (std::size_t c = 0; c < C; ++c) {
    for (std::size_t k = 0; k < C; ++k) out[c * C + k] = -p(c) * p(k);
    out[c * C + c] = p(c) * (c == y_class ? -derivative[c] : 1 - p(c));
  }
}

void MultinomialLoss::values(std::span<const double> u, std::span<const double> y,
                             std::span<double> out) const {
  std::vector<double> scratch(
      std::min(u.size(), kPiece + u.size() / std::max<std::size_t>(1, y.size())));
  for_each_piece(u, y, [&](auto piece_u, auto piece_y, std::size_t first) {
    const std::size_t n = piece_y.size();
    const std::span<double> e(scratch.data(), piece_u.size());
    for (std::size_t i = 0; i < n; ++i) shift(outputs_of(i, n, piece_u), outputs_of(i, n, e));
    exponentials(e, e);
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<const double> u_i = outputs_of(i, n, piece_u);
      out[first + i] = value_from(u_i, outputs_of(i, n, e), class_of(piece_y[i], u_i.size()));
    }
  });
}

void MultinomialLoss::derivatives(std::span<const double> u, std::span<const double> y,
                                  std::span<double> out) const {
  for_each_piece(u, y, [&](auto piece_u, auto piece_y, std::size_t first) {
    const std::size_t n = piece_y.size(), num_outputs = piece_u.size() / n;
    const std::span<double> e = out.subspan(first * num_outputs, piece_u.size());
    for (std::size_t i = 0; i < n; ++i) shift(outputs_of(i, n, piece_u), outputs_of(i, n, e));
    exponentials(e, e);
    for (std::size_t i = 0; i < n; ++i)
      derivative_from(outputs_of(i, n, e), class_of(piece_y[i], num_outputs));
  });
}

void MultinomialLoss::values_and_derivatives(std::span<const double> u, std::span<const double> y,
                                             std::span<double> values,
                                             std::span<double> derivatives) const {
  for_each_piece(u, y, [&](auto piece_u, auto piece_y, std::size_t first) {
    const std::size_t n = piece_y.size(), num_outputs = piece_u.size() / n;
    const std::span<double> e = derivatives.subspan(first * num_outputs, piece_u.size());
    for (std::size_t i = 0; i < n; ++i) shift(outputs_of(i, n, piece_u), outputs_of(i, n, e));
    exponentials(e, e);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t y_class = class_of(piece_y[i], num_outputs);
      const std::span<double> e_i = outputs_of(i, n, e);
      values[first + i] = value_from(outputs_of(i, n, piece_u), e_i, y_class);
      derivative_from(e_i, y_class);
    }
  });
}

}  // namespace asynprox
