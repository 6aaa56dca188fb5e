// Speedups as the paper defines them, over seeds.
//
//   iteration speedup   p T_1 / T_p,     T: sample gradients applied when the target is reached
//   time speedup        ratio of the times until then
#pragma once

#include <vector>

#include "reproduce/curve.h"
#include "reproduce/spread.h"

namespace asynprox::reproduce {

// When each seed reached the target with so many workers.
struct Passages {
  int workers = 1;
  std::vector<CurvePoint> first = {};
  std::vector<CurvePoint> interpolated = {};
  std::vector<double> staleness_means = {};
};

// The run of `options` with every one of these seeds. One that never reaches the target took
// infinitely many steps and seconds.
Passages passages(const PaperProblem& problem, const Options& options,
                  const std::vector<std::uint64_t>& seeds, const Watch& watch);

double mean_seconds(const Passages& runs);        // interpolated
double mean_seconds_first(const Passages& runs);  // to the end of the step that got there

struct Speedup {
  int workers = 1;
  Spread steps;  // to the target
  Spread steps_interpolated;
  Spread iteration, iteration_interpolated;
  Spread time, time_interpolated;
  Spread staleness;  // mean of a run
};

// Of each against the first: ratios of means over seeds, whose deviation is that of the divisor.
std::vector<Speedup> speedups(const std::vector<Passages>& runs);

}  // namespace asynprox::reproduce
