#include "asynprox/data/generators/generator.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {

LabelledRows all_samples(const GeneratedRows& rows) {
  LabelledRows samples;
  samples.matrix.num_columns = rows.num_columns;
  rows.append(0, rows.num_rows, samples);
  return samples;
}

std::uint64_t whole_number(double parameter, std::string_view what, std::uint64_t max) {
  if (parameter != std::trunc(parameter) || parameter < 0)
    throw ContractError(fmt::format("{}: expected a whole number, got {}", what, parameter));
  if (parameter > static_cast<double>(max))
    throw ContractError(fmt::format("{}: expected at most {}, got {}", what, max, parameter));
  return static_cast<std::uint64_t>(parameter);
}

double normal_like(std::uint64_t bits) {
  constexpr double kMean = 2 * 65535 + 0.5;  // the half keeps every result away from 0
  constexpr double kDeviation = 37837.5;     // sqrt(4 / 12) of 2^16
  std::uint64_t sum = 0;
  for (int shift = 0; shift < 64; shift += 16) sum += bits >> shift & 0xffff;
  return (static_cast<double>(sum) - kMean) / kDeviation;
}

}  // namespace asynprox
