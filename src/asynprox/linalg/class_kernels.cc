// Compiled once for each level of vector instructions: foreach_target.h includes this file again
// and again, and must come before highway.h.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asynprox/linalg/class_kernels.cc"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "asynprox/linalg/class_kernels.h"

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace asynprox {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 16, kBlock = 4096;
using Floats = hn::CappedTag<float, kLanes>;
using Integers = hn::RebindToSigned<Floats>;
using V = hn::Vec<Floats>;
constexpr std::size_t kWidth = hn::MaxLanes(Floats());
constexpr std::size_t kVectors = kLanes / kWidth;

HWY_INLINE double total(const V* sums) {
  alignas(64) std::array<float, kLanes> lanes;
  for (std::size_t k = 0; k < kVectors; ++k) hn::StoreU(sums[k], Floats(), &lanes[k * kWidth]);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  return static_cast<double>(lanes[0]);
}

// The sum of term(values, rows) over the column. Lanes beyond its end have the value and the row 0.
template <class Term>
HWY_INLINE double summed(const ColumnSpan& column, Term term) {
  const Floats floats;
  const Integers integers;
  const float* const values = column.values;
  const auto* const rows = reinterpret_cast<const std::int32_t*>(column.rows);
  double sum = 0;
  for (std::size_t first = 0; first < column.length; first += kBlock) {
    const std::size_t last = std::min(column.length, first + kBlock);
    V sums[kVectors];
    for (V& lane_sums : sums) lane_sums = hn::Zero(floats);
    std::size_t e = first;
    for (; e + kLanes <= last; e += kLanes)
      for (std::size_t k = 0; k < kVectors; ++k) {
        const std::size_t at = e + k * kWidth;
        sums[k] =
            hn::Add(sums[k], term(hn::LoadU(floats, values + at), hn::LoadU(integers, rows + at)));
      }
    for (std::size_t k = 0; e < last; ++k, e += kWidth) {
      const std::size_t count = std::min(kWidth, last - e);
      const V some = hn::IfThenElseZero(hn::FirstN(floats, count), hn::LoadU(floats, values + e));
      const auto at =
          hn::IfThenElseZero(hn::FirstN(integers, count), hn::LoadU(integers, rows + e));
      sums[k] = hn::Add(sums[k], term(some, at));
    }
    sum += total(sums);
  }
  return sum;
}

double product(const ColumnSpan& column, const float* p, const float* v, const float* s) {
  return summed(column, [=](V values, hn::Vec<Integers> rows) HWY_ATTR {
    const Floats floats;
    const V around = hn::Sub(hn::GatherIndex(floats, v, rows), hn::GatherIndex(floats, s, rows));
    return hn::Mul(hn::Mul(values, hn::GatherIndex(floats, p, rows)), around);
  });
}

double squares(const ColumnSpan& column, const float* weights) {
  return summed(column, [=](V values, hn::Vec<Integers> rows) HWY_ATTR {
    return hn::Mul(hn::Mul(values, values), hn::GatherIndex(Floats(), weights, rows));
  });
}

void add(float factor, const ColumnSpan& column, const float* p, float* v, float* s) {
  for (std::size_t e = 0; e < column.length; ++e) {
    const std::uint32_t row = column.rows[e];
    const float change = factor * column.values[e];
    v[row] += change;
    s[row] += change * p[row];
  }
}

ClassKernels kernels() { return {product, add, squares}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace asynprox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asynprox {

HWY_EXPORT(kernels);

ClassKernels class_kernels() { return HWY_DYNAMIC_DISPATCH(kernels)(); }

}  // namespace asynprox
#endif
