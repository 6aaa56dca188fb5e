// Compiled once for each level of vector instructions: foreach_target.h includes this file again
// and again, and must come before highway.h.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asynprox/losses/exponential_arrays.cc"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "asynprox/losses/exponential_arrays.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace asynprox {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
using V = hn::Vec<Doubles>;
constexpr std::size_t kWidth = hn::MaxLanes(Doubles());

HWY_INLINE V constant(double value) { return hn::Set(Doubles(), value); }

// Multiplied and added apart, not fused: the same bits with and without such an instruction.
HWY_INLINE V times_plus(V a, V b, V c) { return hn::Add(hn::Mul(a, b), c); }

// t, t^2, t^4, t^8, t^16
using Powers = std::array<V, 5>;

// coefficients[First] + coefficients[First + 1] t + ..., Count of them.
template <std::size_t First, std::size_t Count, std::size_t Size>
HWY_INLINE V partial_polynomial(const Powers& powers,
                                const std::array<double, Size>& coefficients) {
  if constexpr (Count == 1) {
    return constant(coefficients[First]);
  } else {
    constexpr std::size_t half = std::bit_floor(Count - 1);
    return times_plus(partial_polynomial<First + half, Count - half>(powers, coefficients),
                      powers[std::countr_zero(half)],
                      partial_polynomial<First, half>(powers, coefficients));
  }
}

// coefficients[0] + coefficients[1] t + ..., in halves of halves: from the highest power down each
// product would wait for the one before.
template <std::size_t Size>
HWY_INLINE V polynomial(V t, const std::array<double, Size>& coefficients) {
  static_assert(Size <= 32);
  Powers powers = {t};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = hn::Mul(powers[i - 1], powers[i - 1]);
  return partial_polynomial<0, Size>(powers, coefficients);
}

// exp(t) = 2^n exp(r) with |r| <= log(2) / 2, where Taylor's series to r^13 errs by 4e-18. Beyond
// -708 and `largest`, as at these; a nan stays one. What is returned lacks a factor 2^Spare.
template <int Spare>
HWY_INLINE V exponential_up_to(double largest, V t) {
  t = hn::IfThenElse(hn::Gt(t, constant(largest)), constant(largest), t);
  t = hn::IfThenElse(hn::Lt(t, constant(-708)), constant(-708), t);
  // Adding 1.5 * 2^52 rounds to an integer, and leaves it in the lowest bits.
  const V shift = constant(0x1.8p52);
  const V shifted = times_plus(t, constant(0x1.71547652b82fep0), shift);  // 1 / log 2
  const V n = hn::Sub(shifted, shift);
  // log 2 in two parts; n times the first is exact.
  const V r = hn::Sub(hn::Sub(t, hn::Mul(n, constant(0x1.62e42fee00000p-1))),
                      hn::Mul(n, constant(0x1.a39ef35793c76p-33)));
  constexpr std::array<double, 12> kTail = {
      1.0 / 2,     1.0 / 6,      1.0 / 24,      1.0 / 120,      1.0 / 720,       1.0 / 5040,
      1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};
  const V power = hn::Add(constant(1), times_plus(hn::Mul(r, r), polynomial(r, kTail), r));
  const hn::RebindToUnsigned<Doubles> bits;
  const auto exponent = hn::Add(hn::BitCast(bits, shifted), hn::Set(bits, 1023 - Spare));
  return hn::Mul(power, hn::BitCast(Doubles(), hn::ShiftLeft<52>(exponent)));
}

// Up to 709: never infinite.
HWY_INLINE V exponential(V t) { return exponential_up_to<0>(709, t); }

// Infinite where the exponential is too large for a double.
HWY_INLINE V exponential_or_infinity(V t) {
  return hn::Mul(exponential_up_to<1>(710, t), constant(2));
}

// 2 artanh(s) for s^2 < 0.0295, where the series to s^21 errs by 4e-18.
HWY_INLINE V twice_artanh(V s) {
  constexpr std::array<double, 10> kTail = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                                            2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
  const V square = hn::Mul(s, s);
  return times_plus(hn::Mul(s, square), polynomial(square, kTail), hn::Add(s, s));
}

constexpr double kLog2 = 0x1.62e42fefa39efp-1;

// For 0 <= e <= 1: log(1 + e) = 2 artanh(e / (2 + e)), and where that is far from 0
// log 2 + 2 artanh((e - 1) / (3 + e)).
HWY_INLINE V log_of_1_plus(V e) {
  const auto large = hn::Gt(e, constant(0.41421356237309503));
  const V s = hn::Div(hn::IfThenElse(large, hn::Sub(e, constant(1)), e),
                      hn::Add(e, hn::IfThenElse(large, constant(3), constant(2))));
  return hn::Add(hn::IfThenElseZero(large, constant(kLog2)), twice_artanh(s));
}

// log(v) = n log 2 + 2 artanh((m - 1) / (m + 1)), v = 2^n m with m from sqrt(1/2) to sqrt(2). For
// normal v.
HWY_INLINE V logarithm(V v) {
  const hn::RebindToUnsigned<Doubles> bits;
  // Less the bits of sqrt(1/2), so that the exponent changes there.
  const auto shifted = hn::Sub(hn::BitCast(bits, v), hn::Set(bits, 0x3fe6a09e667f3bcdULL));
  const auto exponent = hn::And(shifted, hn::Set(bits, 0xfff0000000000000ULL));
  const V m = hn::BitCast(Doubles(), hn::Sub(hn::BitCast(bits, v), exponent));
  const V n = hn::ConvertTo(
      Doubles(), hn::ShiftRight<52>(hn::BitCast(hn::RebindToSigned<Doubles>(), exponent)));
  const V s = hn::Div(hn::Sub(m, constant(1)), hn::Add(m, constant(1)));
  return times_plus(n, constant(kLog2), twice_artanh(s));
}

// 0 at 0, where it is continuous.
HWY_INLINE V x_times_log(V x) {
  const V normal = hn::IfThenElse(hn::Lt(x, constant(1e-300)), constant(1), x);
  return hn::Mul(normal, logarithm(normal));
}

struct LogisticConjugate {
  HWY_INLINE V operator()(V theta, V y) const {
    const V a = hn::Neg(hn::Mul(y, theta)), b = hn::Sub(constant(1), a);
    const auto inside = hn::And(hn::Ge(a, constant(0)), hn::Ge(b, constant(0)));
    return hn::IfThenElse(inside, hn::Add(x_times_log(a), x_times_log(b)),
                          constant(std::numeric_limits<double>::infinity()));
  }
};

// t = y u, and e = exp(-|t|).
struct LogisticTerms {
  HWY_INLINE LogisticTerms(V u, V y_of_u)
      : y(y_of_u), t(hn::Mul(y, u)), e(exponential(hn::Neg(hn::Abs(t)))) {}

  // A nan takes the second branch, and stays one.
  HWY_INLINE V value() const {
    const V rest = log_of_1_plus(e);
    return hn::IfThenElse(hn::Gt(t, constant(0)), rest, hn::Sub(rest, t));
  }
  HWY_INLINE V derivative() const {
    const V above = hn::IfThenElse(hn::Gt(t, constant(0)), e, constant(1));
    return hn::Div(hn::Neg(hn::Mul(y, above)), hn::Add(constant(1), e));
  }

  V y, t, e;
};

struct LogisticValue {
  HWY_INLINE V operator()(V u, V y) const { return LogisticTerms(u, y).value(); }
};

struct LogisticDerivative {
  HWY_INLINE V operator()(V u, V y) const { return LogisticTerms(u, y).derivative(); }
};

struct SigmoidValue {
  HWY_INLINE V operator()(V u, V y) const {
    const V t = hn::Mul(y, u);
    return hn::Div(constant(2), hn::Add(constant(1), exponential(hn::Add(t, t))));
  }
};

struct SigmoidDerivative {
  HWY_INLINE V operator()(V u, V y) const {
    const V e = exponential(hn::Mul(constant(-2), hn::Abs(hn::Mul(y, u))));
    const V e_plus_1 = hn::Add(constant(1), e);
    return hn::Div(hn::Mul(hn::Mul(constant(-4), y), e), hn::Mul(e_plus_1, e_plus_1));
  }
};

struct SquaredSigmoidValue {
  HWY_INLINE V operator()(V u, V y) const {
    const V s = hn::Div(constant(1), hn::Add(constant(1), exponential(hn::Mul(y, u))));
    return hn::Mul(s, s);
  }
};

struct SquaredSigmoidDerivative {
  HWY_INLINE V operator()(V u, V y) const {
    const V t = hn::Mul(y, u);
    const V e = exponential(hn::Neg(hn::Abs(t)));
    const V larger = hn::Div(constant(1), hn::Add(constant(1), e)), smaller = hn::Mul(e, larger);
    const V s = hn::IfThenElse(hn::Gt(t, constant(0)), smaller, larger);
    return hn::Mul(hn::Mul(hn::Mul(constant(-2), y), s), hn::Mul(smaller, larger));
  }
};

struct PoissonValue {
  HWY_INLINE V operator()(V u, V y) const {
    const V e = exponential_or_infinity(u);
    // Where e is infinite, y u may be too.
    return hn::IfThenElse(hn::Gt(e, constant(std::numeric_limits<double>::max())), e,
                          hn::Sub(e, hn::Mul(y, u)));
  }
};

struct Exponential {
  HWY_INLINE V operator()(V t, V) const { return exponential(t); }
};

struct PoissonDerivative {
  HWY_INLINE V operator()(V u, V y) const { return hn::Sub(exponential_or_infinity(u), y); }
};

// out_i = f(u_i, y_i). The last few are computed in a vector of their own, so that a sample's bits
// do not depend on its place.
template <class F>
HWY_INLINE void apply(F f, std::span<const double> u, std::span<const double> y,
                      std::span<double> out) {
  const Doubles d;
  std::size_t i = 0;
  for (; i + kWidth <= u.size(); i += kWidth)
    hn::StoreU(f(hn::LoadU(d, &u[i]), hn::LoadU(d, &y[i])), d, &out[i]);
  if (i == u.size()) return;
  std::array<double, kWidth> last_u = {}, last_y = {}, last_out = {};
  std::copy(u.begin() + i, u.end(), last_u.begin());
  std::copy(y.begin() + i, y.end(), last_y.begin());
  hn::StoreU(f(hn::LoadU(d, last_u.data()), hn::LoadU(d, last_y.data())), d, last_out.data());
  std::copy_n(last_out.begin(), u.size() - i, out.begin() + i);
}

void values_of_logistic(std::span<const double> u, std::span<const double> y,
                        std::span<double> out) {
  apply(LogisticValue{}, u, y, out);
}
void derivatives_of_logistic(std::span<const double> u, std::span<const double> y,
                             std::span<double> out) {
  apply(LogisticDerivative{}, u, y, out);
}
void values_and_derivatives_of_logistic(std::span<const double> u, std::span<const double> y,
                                        std::span<double> values, std::span<double> derivatives) {
  const Doubles d;
  const std::size_t whole = u.size() / kWidth * kWidth;
  for (std::size_t i = 0; i < whole; i += kWidth) {
    const LogisticTerms terms(hn::LoadU(d, &u[i]), hn::LoadU(d, &y[i]));
    hn::StoreU(terms.value(), d, &values[i]);
    hn::StoreU(terms.derivative(), d, &derivatives[i]);
  }
  apply(LogisticValue{}, u.subspan(whole), y.subspan(whole), values.subspan(whole));
  apply(LogisticDerivative{}, u.subspan(whole), y.subspan(whole), derivatives.subspan(whole));
}
void conjugates_of_logistic(std::span<const double> theta, std::span<const double> y,
                            std::span<double> out) {
  apply(LogisticConjugate{}, theta, y, out);
}
void values_of_sigmoid(std::span<const double> u, std::span<const double> y,
                       std::span<double> out) {
  apply(SigmoidValue{}, u, y, out);
}
void derivatives_of_sigmoid(std::span<const double> u, std::span<const double> y,
                            std::span<double> out) {
  apply(SigmoidDerivative{}, u, y, out);
}
void values_of_squared_sigmoid(std::span<const double> u, std::span<const double> y,
                               std::span<double> out) {
  apply(SquaredSigmoidValue{}, u, y, out);
}
void derivatives_of_squared_sigmoid(std::span<const double> u, std::span<const double> y,
                                    std::span<double> out) {
  apply(SquaredSigmoidDerivative{}, u, y, out);
}
void values_of_poisson(std::span<const double> u, std::span<const double> y,
                       std::span<double> out) {
  apply(PoissonValue{}, u, y, out);
}
void derivatives_of_poisson(std::span<const double> u, std::span<const double> y,
                            std::span<double> out) {
  apply(PoissonDerivative{}, u, y, out);
}
void exponentials_of(std::span<const double> t, std::span<double> out) {
  apply(Exponential{}, t, t, out);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace asynprox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asynprox {

HWY_EXPORT(values_of_logistic);
HWY_EXPORT(derivatives_of_logistic);
HWY_EXPORT(values_and_derivatives_of_logistic);
HWY_EXPORT(conjugates_of_logistic);
HWY_EXPORT(values_of_sigmoid);
HWY_EXPORT(derivatives_of_sigmoid);
HWY_EXPORT(values_of_squared_sigmoid);
HWY_EXPORT(derivatives_of_squared_sigmoid);
HWY_EXPORT(values_of_poisson);
HWY_EXPORT(derivatives_of_poisson);
HWY_EXPORT(exponentials_of);

void logistic_values(std::span<const double> u, std::span<const double> y, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(values_of_logistic)(u, y, out);
}

void logistic_derivatives(std::span<const double> u, std::span<const double> y,
                          std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(derivatives_of_logistic)(u, y, out);
}

void logistic_values_and_derivatives(std::span<const double> u, std::span<const double> y,
                                     std::span<double> values, std::span<double> derivatives) {
  HWY_DYNAMIC_DISPATCH(values_and_derivatives_of_logistic)(u, y, values, derivatives);
}

void logistic_conjugates(std::span<const double> theta, std::span<const double> y,
                         std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(conjugates_of_logistic)(theta, y, out);
}

void sigmoid_values(std::span<const double> u, std::span<const double> y, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(values_of_sigmoid)(u, y, out);
}

void sigmoid_derivatives(std::span<const double> u, std::span<const double> y,
                         std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(derivatives_of_sigmoid)(u, y, out);
}

void squared_sigmoid_values(std::span<const double> u, std::span<const double> y,
                            std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(values_of_squared_sigmoid)(u, y, out);
}

void squared_sigmoid_derivatives(std::span<const double> u, std::span<const double> y,
                                 std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(derivatives_of_squared_sigmoid)(u, y, out);
}

void poisson_values(std::span<const double> u, std::span<const double> y, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(values_of_poisson)(u, y, out);
}

void poisson_derivatives(std::span<const double> u, std::span<const double> y,
                         std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(derivatives_of_poisson)(u, y, out);
}

void exponentials(std::span<const double> t, std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(exponentials_of)(t, out);
}

}  // namespace asynprox
#endif
