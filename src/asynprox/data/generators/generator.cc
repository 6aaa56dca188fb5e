#include "asynprox/data/generators/generator.h"

#include <cstdint>

namespace asynprox {

LabelledRows all_samples(const GeneratedRows& rows) {
  LabelledRows samples;
  samples.matrix.num_columns = rows.num_columns;
  rows.append(0, rows.num_rows, samples);
  return samples;
}

double normal_like(std::uint64_t bits) {
  constexpr double kMean = 2 * 65535 + 0.5;  // the half keeps every result away from 0
  constexpr double kDeviation = 37837.5;     // sqrt(4 / 12) of 2^16
  std::uint64_t sum = 0;
  for (int shift = 0; shift < 64; shift += 16) sum += bits >> shift & 0xffff;
  return (static_cast<double>(sum) - kMean) / kDeviation;
}

}  // namespace asynprox
