// The prox of f as a function of its outputs, each of which has its own term:
//
//   u_i = argmin_v  F_i(v) / n + (v - c_i)^2 / (2 tau)      so that  u_i + tau F_i'(u_i) / n = c_i
//
// for convex f of one output per sample. By Newton's method within a bracket, for all samples at
// once: the left side rises by at least as much as u_i does, so that its error bounds that of u_i. Where
// a step leaves much of the error, half of the bracket is next.
#pragma once

#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

struct OutputsProx {
  Vector outputs;     // u: on the way in, where to begin
  Vector scalars;     // F_i'(u_i)
  Vector curvatures;  // F_i''(u_i), at least 0, by differences over 1e-7 of an output
};

// In place. False: some output could not be found, since f overflows or is not a number.
bool prox_of_outputs(const AnyFiniteSum& f, std::span<const double> centres, double tau,
                     OutputsProx& found);

}  // namespace asynprox
