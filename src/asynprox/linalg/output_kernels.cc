// Compiled once for each level of vector instructions: foreach_target.h includes this file again
// and again, and must come before highway.h.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asynprox/linalg/output_kernels.cc"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "asynprox/linalg/output_kernels.h"

#include <array>

HWY_BEFORE_NAMESPACE();
namespace asynprox {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Outputs from `first` on, in vectors of Lanes lanes, side by side.
template <std::size_t Lanes>
struct Part {
  using Doubles = hn::CappedTag<double, Lanes>;
  using V = hn::Vec<Doubles>;
  static constexpr std::size_t width = hn::MaxLanes(Doubles());

  template <std::size_t Vectors>
  HWY_ATTR static void dots(const WideRow& row, const double* x, std::size_t first,
                            std::span<double> u) {
    std::array<V, Vectors> sums;
    for (V& sum : sums) sum = hn::Zero(Doubles());
    for (std::size_t e = 0; e < row.columns.size(); ++e) {
      const V value = hn::Set(Doubles(), row.values[e]);
      const double* const from = x + row.columns[e] * u.size() + first;
      for (std::size_t k = 0; k < Vectors; ++k)
        sums[k] = hn::Add(sums[k], hn::Mul(value, hn::LoadU(Doubles(), from + k * width)));
    }
    for (std::size_t k = 0; k < Vectors; ++k)
      hn::StoreU(sums[k], Doubles(), u.data() + first + k * width);
  }

  template <std::size_t Vectors>
  HWY_ATTR static void scatter(const WideRow& row, std::span<const double> factors,
                               std::size_t first, double* g) {
    std::array<V, Vectors> parts;
    for (std::size_t k = 0; k < Vectors; ++k)
      parts[k] = hn::LoadU(Doubles(), factors.data() + first + k * width);
    for (std::size_t e = 0; e < row.columns.size(); ++e) {
      const V value = hn::Set(Doubles(), row.values[e]);
      double* const to = g + row.columns[e] * factors.size() + first;
      for (std::size_t k = 0; k < Vectors; ++k) {
        const V sum = hn::Add(hn::LoadU(Doubles(), to + k * width), hn::Mul(value, parts[k]));
        hn::StoreU(sum, Doubles(), to + k * width);
      }
    }
  }
};

using Wide = Part<4>;
using Pair = Part<2>;
using Single = Part<1>;

// Calls work(Part{}, number of vectors, first) for parts that cover `outputs` outputs.
template <class Work>
HWY_ATTR void cover(std::size_t outputs, Work work) {
  std::size_t first = 0;
  for (; first + 4 * Wide::width <= outputs; first += 4 * Wide::width)
    work(Wide(), std::integral_constant<std::size_t, 4>(), first);
  for (; first + 2 * Wide::width <= outputs; first += 2 * Wide::width)
    work(Wide(), std::integral_constant<std::size_t, 2>(), first);
  for (; first + Wide::width <= outputs; first += Wide::width)
    work(Wide(), std::integral_constant<std::size_t, 1>(), first);
  for (; first + Pair::width <= outputs; first += Pair::width)
    work(Pair(), std::integral_constant<std::size_t, 1>(), first);
  for (; first < outputs; ++first) work(Single(), std::integral_constant<std::size_t, 1>(), first);
}

HWY_ATTR void dots(const WideRow& row, const double* x, std::span<double> u) {
  cover(u.size(), [&]<class P, std::size_t Vectors>(P, std::integral_constant<std::size_t, Vectors>,
                                                    std::size_t first)
                      HWY_ATTR { P::template dots<Vectors>(row, x, first, u); });
}

HWY_ATTR void scatter(const WideRow& row, std::span<const double> k, double* g) {
  cover(k.size(), [&]<class P, std::size_t Vectors>(P, std::integral_constant<std::size_t, Vectors>,
                                                    std::size_t first)
                      HWY_ATTR { P::template scatter<Vectors>(row, k, first, g); });
}

OutputKernels kernels_of_outputs() { return {dots, scatter}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace asynprox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asynprox {

HWY_EXPORT(kernels_of_outputs);

OutputKernels output_kernels() { return HWY_DYNAMIC_DISPATCH(kernels_of_outputs)(); }

}  // namespace asynprox
#endif
