// The minimum of each problem, found once by long runs and kept in a text file: a line a problem,
//
//   OBJECTIVE  GAP  NAME        the minimum is at most GAP below OBJECTIVE, by a duality gap; "-"
//                               where the loss is not convex and nobody can say so
#pragma once

#include <map>
#include <optional>
#include <string>

#include "benchmarks/defaults/problems.h"

namespace asynprox::benchmarks {

struct Optimum {
  double objective = 0;
  std::optional<double> gap = {};
};

using Optima = std::map<std::string, Optimum>;  // by the problem's name

// Throws DataError where the file is not there or a line is not as above.
Optima read_optima(const std::string& path);
void write_optima(const std::string& path, const Optima& optima);

// The lowest objective and the highest lower bound of several long runs (accelerated proximal
// gradient where f is convex; the variance-reduced method), `seconds` each at most; and of `known`,
// which may have come from longer ones.
Optimum find_optimum(const DefaultsProblem& problem, double seconds,
                     const std::optional<Optimum>& known);

}  // namespace asynprox::benchmarks
