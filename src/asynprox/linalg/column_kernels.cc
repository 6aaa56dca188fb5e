// Compiled once for each level of vector instructions: foreach_target.h includes this file again
// and again, and must come before highway.h.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asynprox/linalg/column_kernels.cc"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "asynprox/linalg/column_kernels.h"

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

HWY_INLINE V gather(const float* v, const std::uint32_t* rows) {
  const auto index = hn::LoadU(Integers(), reinterpret_cast<const std::int32_t*>(rows));
  return hn::GatherIndex(Floats(), v, index);
}

// Of the first `count` lanes; the others are 0 and gather v[0].
HWY_INLINE V gather_some(const float* v, const std::uint32_t* rows, std::size_t count) {
  const Integers d;
  const auto index = hn::LoadU(d, reinterpret_cast<const std::int32_t*>(rows));
  return hn::GatherIndex(Floats(), v, hn::IfThenElseZero(hn::FirstN(d, count), index));
}

HWY_INLINE V load_some(const float* values, std::size_t count) {
  return hn::IfThenElseZero(hn::FirstN(Floats(), count), hn::LoadU(Floats(), values));
}

HWY_INLINE double total(const V* sums) {
  alignas(64) std::array<float, kLanes> lanes;
  for (std::size_t k = 0; k < kVectors; ++k) hn::StoreU(sums[k], Floats(), &lanes[k * kWidth]);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  return static_cast<double>(lanes[0]);
}

// The sum of term(whole vector at e) and, at the end, term of a part of one.
template <class Whole, class Part>
HWY_INLINE double summed(std::size_t length, Whole whole, Part part) {
  double sum = 0;
  for (std::size_t first = 0; first < length; first += kBlock) {
    const std::size_t last = std::min(length, first + kBlock);
    V sums[kVectors];
    for (V& lane_sums : sums) lane_sums = hn::Zero(Floats());
    std::size_t e = first;
    for (; e + kLanes <= last; e += kLanes)
      for (std::size_t k = 0; k < kVectors; ++k) sums[k] = hn::Add(sums[k], whole(e + k * kWidth));
    for (std::size_t k = 0; e < last; ++k, e += kWidth)
      sums[k] = hn::Add(sums[k], part(e, std::min(kWidth, last - e)));
    sum += total(sums);
  }
  return sum;
}

double dot(const ColumnSpan& column, const float* v) {
  const std::uint32_t* const rows = column.rows;
  const float* const values = column.values;
  return summed(
      column.length,
      [=](std::size_t e)
          HWY_ATTR { return hn::Mul(hn::LoadU(Floats(), values + e), gather(v, rows + e)); },
      [=](std::size_t e, std::size_t count) HWY_ATTR {
        return hn::Mul(load_some(values + e, count), gather_some(v, rows + e, count));
      });
}

void add(float factor, const ColumnSpan& column, float* v) {
  const std::uint32_t* const rows = column.rows;
  const float* const values = column.values;
  std::size_t e = 0;
  for (; e + 4 <= column.length; e += 4) {  // rows differ: four sums at once
    const float a = v[rows[e]] + factor * values[e];
    const float b = v[rows[e + 1]] + factor * values[e + 1];
    const float c = v[rows[e + 2]] + factor * values[e + 2];
    const float d = v[rows[e + 3]] + factor * values[e + 3];
    v[rows[e]] = a;
    v[rows[e + 1]] = b;
    v[rows[e + 2]] = c;
    v[rows[e + 3]] = d;
  }
  for (; e < column.length; ++e) v[rows[e]] += factor * values[e];
}

double scale(const ColumnSpan& column, const float* v, float* out) {
  const std::uint32_t* const rows = column.rows;
  const float* const values = column.values;
  return summed(
      column.length,
      [=](std::size_t e) HWY_ATTR {
        const V scaled = hn::Mul(hn::LoadU(Floats(), values + e), gather(v, rows + e));
        hn::StoreU(scaled, Floats(), out + e);
        return hn::Mul(scaled, scaled);
      },
      [=](std::size_t e, std::size_t count) HWY_ATTR {
        const V scaled = hn::Mul(load_some(values + e, count), gather_some(v, rows + e, count));
        alignas(64) std::array<float, kWidth> some;
        hn::Store(scaled, Floats(), some.data());
        std::copy_n(some.data(), count, out + e);
        return hn::Mul(scaled, scaled);
      });
}

ColumnKernels kernels() { return {dot, add, scale}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace asynprox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asynprox {

HWY_EXPORT(kernels);

ColumnKernels column_kernels() { return HWY_DYNAMIC_DISPATCH(kernels)(); }

}  // namespace asynprox
#endif
