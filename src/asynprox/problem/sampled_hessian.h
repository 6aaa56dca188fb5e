// About (1/n) sum_i F''_i a_i a_i' at a few coordinates, from some of the samples.
//
// Sample i is taken with a chance that grows with F''_i |a_i|^2, where |.| measures each coordinate
// in units of its own curvature, and counts the more the less likely it was: so that rare features
// are there too. Where little has changed since it was made, it is kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "asynprox/linalg/gram.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class SampledHessian {
 public:
  // Borrows the problem, whose f has a Gram matrix.
  explicit SampledHessian(const Problem& problem);

  // At these coordinates, which rise. `keep`: as it is, if it is known there.
  const Gram& at(const EvaluatedModel& model, const std::vector<Key>& keys, bool keep);

  // From more samples, the next time; false: there are no more, or it would cost too much.
  bool refine();

  std::int64_t samples_read() const { return samples_read_; }  // by all so far

 private:
  void measure_lengths();
  void limit_samples(std::size_t products);
  void measure_curvatures(const EvaluatedModel& model);
  bool cut_to(const std::vector<Key>& keys);
  // About so many of all samples, and what they count.
  void choose(double count);
  void add_ridge(double share);

  const Problem& problem_;
  std::vector<SampleIndex> samples_;
  Vector lengths_;        // |a_i|^2; empty: as if they were one
  double count_ = 0;      // of samples to choose; 0: not known yet
  double count_max_ = 0;  // what they may cost
  std::int64_t samples_read_ = 0;

  Gram gram_;
  std::vector<Key> keys_;
  Vector curvatures_;  // F''_i / n
  std::vector<SampleIndex> chosen_;
  Vector weights_;
};

}  // namespace asynprox
