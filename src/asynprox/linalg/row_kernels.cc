// Compiled once for each level of vector instructions: foreach_target.h includes this file again
// and again, and must come before highway.h.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "asynprox/linalg/row_kernels.cc"  // NOLINT
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "asynprox/linalg/row_kernels.h"

#include <algorithm>
#include <array>

#include "asynprox/linalg/row_access.h"

HWY_BEFORE_NAMESPACE();
namespace asynprox {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 4;
using Doubles = hn::CappedTag<double, kLanes>;
using V = hn::Vec<Doubles>;
constexpr std::size_t kWidth = hn::MaxLanes(Doubles());  // 1, 2 or 4 lanes in a vector

V load(const double* values) { return hn::LoadU(Doubles(), values); }
V load(const float* values) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), values));
}
V load(const std::uint8_t* values) {
  const hn::Rebind<std::int32_t, Doubles> integers;
  const hn::Rebind<std::uint8_t, Doubles> bytes;
  return hn::PromoteTo(Doubles(), hn::PromoteTo(integers, hn::LoadU(bytes, values)));
}

// x at kWidth columns, by single loads: a gather instruction is slower (1.9 times on Zen 3). And,
// in place: g at kWidth columns += products, one after the other.
#if HWY_TARGET == HWY_SCALAR

template <class Column>
HWY_INLINE V gather(const double* x, const Column* columns) {
  return hn::Set(Doubles(), x[columns[0]]);
}

template <class Column>
HWY_INLINE void scatter_add(V products, const Column* columns, double* g) {
  g[columns[0]] += hn::GetLane(products);
}

#else

using OneDouble = hn::CappedTag<double, 1>;
using TwoDoubles = hn::CappedTag<double, 2>;

template <class Column>
HWY_INLINE hn::Vec<TwoDoubles> gather_two(const double* x, const Column* columns) {
  return hn::Combine(TwoDoubles(), hn::LoadU(OneDouble(), x + columns[1]),
                     hn::LoadU(OneDouble(), x + columns[0]));
}

template <class Column>
HWY_INLINE void scatter_two(hn::Vec<TwoDoubles> products, const Column* columns, double* g) {
  g[columns[0]] += hn::GetLane(products);
  g[columns[1]] += hn::GetLane(hn::UpperHalf(OneDouble(), products));
}

#if HWY_MAX_BYTES == 16

template <class Column>
HWY_INLINE V gather(const double* x, const Column* columns) {
  return gather_two(x, columns);
}

template <class Column>
HWY_INLINE void scatter_add(V products, const Column* columns, double* g) {
  scatter_two(products, columns, g);
}

#else

template <class Column>
HWY_INLINE V gather(const double* x, const Column* columns) {
  return hn::Combine(Doubles(), gather_two(x, columns + 2), gather_two(x, columns));
}

template <class Column>
HWY_INLINE void scatter_add(V products, const Column* columns, double* g) {
  scatter_two(hn::LowerHalf(TwoDoubles(), products), columns, g);
  scatter_two(hn::UpperHalf(TwoDoubles(), products), columns + 2, g);
}

#endif
#endif

// The same for columns that lie side by side.
HWY_INLINE V gather(const double* x, AllColumns columns) {
  return hn::LoadU(Doubles(), x + columns.first);
}

HWY_INLINE void scatter_add(V products, AllColumns columns, double* g) {
  double* const at = g + columns.first;
  hn::StoreU(hn::Add(hn::LoadU(Doubles(), at), products), Doubles(), at);
}

// The lanes' sums over a row's first `whole` entries, a multiple of four.
template <class Column, class Value>
HWY_INLINE void sum_fours(const RowSpan<Column, Value>& row, std::size_t whole, const double* x,
                          std::array<double, kLanes>& lanes) {
  if constexpr (std::same_as<Value, Ones>) {
    double lane_0 = 0, lane_1 = 0, lane_2 = 0, lane_3 = 0;
    for (std::size_t e = 0; e < whole; e += kLanes) {
      lane_0 += x[row.columns[e]];
      lane_1 += x[row.columns[e + 1]];
      lane_2 += x[row.columns[e + 2]];
      lane_3 += x[row.columns[e + 3]];
    }
    lanes = {lane_0, lane_1, lane_2, lane_3};
  } else {
    V sums[kLanes / kWidth];
    for (V& sum : sums) sum = hn::Zero(Doubles());
    for (std::size_t e = 0; e < whole; e += kLanes)
      for (std::size_t k = 0; k < kLanes; k += kWidth)
        sums[k / kWidth] = hn::Add(
            sums[k / kWidth], hn::Mul(load(row.values + e + k), gather(x, row.columns + e + k)));
    for (std::size_t k = 0; k < kLanes; k += kWidth)
      hn::StoreU(sums[k / kWidth], Doubles(), lanes.data() + k);
  }
}

template <class Column, class Value>
HWY_INLINE double dot(const RowSpan<Column, Value>& row, const double* x) {
  const std::size_t rest = row.length % kLanes, whole = row.length - rest;
  std::array<double, kLanes> lanes;
  sum_fours(row, whole, x, lanes);
  for (std::size_t k = 0; k < rest; ++k)
    lanes[k] += row.value(whole + k) * x[row.columns[whole + k]];
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

template <class Column, class Value>
HWY_INLINE void add_scaled_row(double c, const RowSpan<Column, Value>& row, double* g) {
  const std::size_t rest = row.length % kLanes, whole = row.length - rest;
  const V factor = hn::Set(Doubles(), c);
  for (std::size_t e = 0; e < whole; e += kLanes)
    for (std::size_t k = 0; k < kLanes; k += kWidth) {
      if constexpr (std::same_as<Value, Ones>)
        scatter_add(factor, row.columns + e + k, g);
      else
        scatter_add(hn::Mul(factor, load(row.values + e + k)), row.columns + e + k, g);
    }
  for (std::size_t e = whole; e < whole + rest; ++e) g[row.columns[e]] += c * row.value(e);
}

// x with zeros, and g with sinks, from d on, for rows that are filled up with such columns.
using Extended = std::array<double, kFilledColumnsMax + kFillColumns>;

const double* extended(std::span<const double> x, std::size_t num_columns, Extended& copy) {
  std::copy_n(x.data(), num_columns, copy.data());
  std::fill_n(copy.data() + num_columns, kFillColumns, 0.0);
  return copy.data();
}

template <class Access>
struct Kernels {
  using Samples = std::span<const SampleIndex>;

  // Whether copies with the extra columns are worth it.
  static bool extends(const RowArrays& rows, Samples samples) {
    return Access::has_extra_columns && rows.num_nonzeros < rows.num_rows * rows.slots &&
           samples.size() * 16 >= rows.num_columns;
  }
  // Whether a row must be looked at for its end.
  static bool trims(const RowArrays& rows) {
    return Access::has_extra_columns && rows.num_nonzeros < rows.num_rows * rows.slots;
  }

  template <bool Trims>
  static void each_row(const RowArrays& rows, Samples samples, auto&& work) {
    const Access access(rows);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      if constexpr (Trims)
        work(i, access.row(samples[i]));
      else
        work(i, access.filled_row(samples[i]));
    }
  }
  static void each(const RowArrays& rows, Samples samples, bool trims, auto&& work) {
    if constexpr (Access::has_extra_columns)
      if (trims) return each_row<true>(rows, samples, work);
    each_row<false>(rows, samples, work);
  }

  static void dots(const RowArrays& rows, Samples samples, std::span<const double> x,
                   std::span<double> u) {
    const auto with = [&](const double* from, bool trims_rows) HWY_ATTR {
      each(rows, samples, trims_rows,
           [=](std::size_t i, const auto& row) HWY_ATTR { u[i] = dot(row, from); });
    };
    if (!extends(rows, samples)) return with(x.data(), trims(rows));
    Extended copy;
    with(extended(x, rows.num_columns, copy), false);
  }

  static void scatter(const RowArrays& rows, Samples samples, std::span<const double> c,
                      std::span<double> g) {
    const auto with = [&](double* to, bool trims_rows) HWY_ATTR {
      each(rows, samples, trims_rows,
           [=](std::size_t i, const auto& row) HWY_ATTR { add_scaled_row(c[i], row, to); });
    };
    if (!extends(rows, samples)) return with(g.data(), trims(rows));
    Extended sums;
    extended(g, rows.num_columns, sums);
    with(sums.data(), false);
    std::copy_n(sums.data(), rows.num_columns, g.data());
  }

  static void add_products(const RowArrays& rows, Samples samples, std::span<const double> factors,
                           std::span<const double> x, std::span<double> g) {
    const auto with = [&](const double* from, double* to, bool trims_rows) HWY_ATTR {
      each(rows, samples, trims_rows, [=](std::size_t i, const auto& row) HWY_ATTR {
        add_scaled_row(factors[i] * dot(row, from), row, to);
      });
    };
    if (!extends(rows, samples)) return with(x.data(), g.data(), trims(rows));
    Extended copy, sums;
    extended(g, rows.num_columns, sums);
    with(extended(x, rows.num_columns, copy), sums.data(), false);
    std::copy_n(sums.data(), rows.num_columns, g.data());
  }
};

template <class Access>
RowKernels kernels() {
  return {Kernels<Access>::dots, Kernels<Access>::scatter, Kernels<Access>::add_products};
}

template <std::size_t Slots>
using SlotsOfOnes = RowAccess<RowLayout::slots, std::uint16_t, Ones, Slots>;

// Few slots of ones are worth loops without a counter.
RowKernels kernels_of(const RowArrays& rows) {
  if (rows.layout == RowLayout::slots && rows.column_type == ColumnType::u16 &&
      rows.value_type == ValueType::ones) {
    if (rows.slots == 8) return kernels<SlotsOfOnes<8>>();
    if (rows.slots == 16) return kernels<SlotsOfOnes<16>>();
    if (rows.slots == 24) return kernels<SlotsOfOnes<24>>();
  }
  return with_access(rows,
                     []<class Access>(const Access&) -> RowKernels { return kernels<Access>(); });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace asynprox
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace asynprox {

HWY_EXPORT(kernels_of);

RowKernels row_kernels(const RowArrays& rows) { return HWY_DYNAMIC_DISPATCH(kernels_of)(rows); }

}  // namespace asynprox
#endif
