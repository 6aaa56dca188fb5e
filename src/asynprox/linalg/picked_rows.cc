// Compiled once for each level of vector instructions: foreach_target.h includes this file again
// and again, and must come before highway.h.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asynprox/linalg/picked_rows.cc"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "asynprox/linalg/picked_rows.h"

HWY_BEFORE_NAMESPACE();
namespace asynprox {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
constexpr std::size_t kWidth = hn::MaxLanes(Doubles());
// So many vectors of a row stay in registers while the picked rows go by.
constexpr std::size_t kVectors = 8;
constexpr std::size_t kChunk = kVectors * kWidth;

// What is left of a row goes by shorter vectors.
using Four = hn::CappedTag<double, 4>;
using Two = hn::CappedTag<double, 2>;

template <std::size_t Vectors, class Tag = Doubles>
HWY_INLINE void combine(const PickedRows& picked, const double* matrix, std::size_t stride,
                        double* out) {
  constexpr std::size_t kLanes = hn::MaxLanes(Tag());
  const Tag doubles;
  hn::Vec<Tag> sums[Vectors];
  for (std::size_t k = 0; k < Vectors; ++k) sums[k] = hn::LoadU(doubles, out + k * kLanes);
  for (std::size_t e = 0; e < picked.rows.size(); ++e) {
    const double* const row = matrix + picked.rows[e] * stride;
    const auto factor = hn::Set(doubles, picked.factors[e]);
    for (std::size_t k = 0; k < Vectors; ++k)
      sums[k] = hn::Add(sums[k], hn::Mul(factor, hn::LoadU(doubles, row + k * kLanes)));
  }
  for (std::size_t k = 0; k < Vectors; ++k) hn::StoreU(sums[k], doubles, out + k * kLanes);
}

template <std::size_t Vectors, class Tag = Doubles>
HWY_INLINE void add_outer(const PickedRows& picked, const double* v, double* matrix,
                          std::size_t stride) {
  constexpr std::size_t kLanes = hn::MaxLanes(Tag());
  const Tag doubles;
  hn::Vec<Tag> factors[Vectors];
  for (std::size_t k = 0; k < Vectors; ++k) factors[k] = hn::LoadU(doubles, v + k * kLanes);
  for (std::size_t e = 0; e < picked.rows.size(); ++e) {
    double* const row = matrix + picked.rows[e] * stride;
    const auto factor = hn::Set(doubles, picked.factors[e]);
    for (std::size_t k = 0; k < Vectors; ++k)
      hn::StoreU(hn::Add(hn::LoadU(doubles, row + k * kLanes), hn::Mul(factor, factors[k])),
                 doubles, row + k * kWidth);
  }
}

void combination(const PickedRows& picked, const double* matrix, std::size_t stride,
                 std::span<double> out) {
  std::size_t j = 0;
  for (; j + kChunk <= out.size(); j += kChunk)
    combine<kVectors>(picked, matrix + j, stride, out.data() + j);
  for (; j + 2 * kWidth <= out.size(); j += 2 * kWidth)
    combine<2>(picked, matrix + j, stride, out.data() + j);
  for (; j + kWidth <= out.size(); j += kWidth)
    combine<1>(picked, matrix + j, stride, out.data() + j);
  for (; j + hn::MaxLanes(Four()) <= out.size(); j += hn::MaxLanes(Four()))
    combine<1, Four>(picked, matrix + j, stride, out.data() + j);
  for (; j + hn::MaxLanes(Two()) <= out.size(); j += hn::MaxLanes(Two()))
    combine<1, Two>(picked, matrix + j, stride, out.data() + j);
  for (; j < out.size(); ++j)
    for (std::size_t e = 0; e < picked.rows.size(); ++e)
      out[j] += picked.factors[e] * matrix[picked.rows[e] * stride + j];
}

void outer_product(const PickedRows& picked, std::span<const double> v, double* matrix,
                   std::size_t stride) {
  std::size_t j = 0;
  for (; j + kChunk <= v.size(); j += kChunk)
    add_outer<kVectors>(picked, v.data() + j, matrix + j, stride);
  for (; j + 2 * kWidth <= v.size(); j += 2 * kWidth)
    add_outer<2>(picked, v.data() + j, matrix + j, stride);
  for (; j + kWidth <= v.size(); j += kWidth)
    add_outer<1>(picked, v.data() + j, matrix + j, stride);
  for (; j + hn::MaxLanes(Four()) <= v.size(); j += hn::MaxLanes(Four()))
    add_outer<1, Four>(picked, v.data() + j, matrix + j, stride);
  for (; j + hn::MaxLanes(Two()) <= v.size(); j += hn::MaxLanes(Two()))
    add_outer<1, Two>(picked, v.data() + j, matrix + j, stride);
  for (; j < v.size(); ++j)
    for (std::size_t e = 0; e < picked.rows.size(); ++e)
      matrix[picked.rows[e] * stride + j] += picked.factors[e] * v[j];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace asynprox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asynprox {

HWY_EXPORT(combination);
HWY_EXPORT(outer_product);

void add_combination(const PickedRows& picked, const double* matrix, std::size_t stride,
                     std::span<double> out) {
  HWY_DYNAMIC_DISPATCH(combination)(picked, matrix, stride, out);
}

void add_outer_product(const PickedRows& picked, std::span<const double> v, double* matrix,
                       std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(outer_product)(picked, v, matrix, stride);
}

}  // namespace asynprox
#endif
