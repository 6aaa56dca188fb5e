// How an experiment is made: on which cluster, how often, and who watches.
#pragma once

#include "asynprox/run/options.h"

#include "reproduce/curve.h"
#include "reproduce/findings.h"
#include "reproduce/problem.h"

namespace asynprox::reproduce {

// The workers of the paper's tables.
inline constexpr std::array kPaperWorkers = {1, 2, 4, 8};

struct Study {
  Cluster cluster = {};  // the assumed pace, with the costs of messages and steps
  int seeds = 10;
  bool quick = false;  // fewer seeds and points where they are many
  bool paced = true;   // also in real time, which takes as long as it takes
  Watch watch = {};

  std::vector<std::uint64_t> seed_numbers() const;

  // Algorithm 1 on the study's cluster, with N = 8192 samples and m = p pushes per step, and
  // eta = step_factor / L; the bound on staleness is larger than any that occurs.
  Options algorithm_1(const PaperProblem& problem, int workers, double step_factor) const;
};

}  // namespace asynprox::reproduce
