// The server's part of methods whose workers remember gradients of their samples: it keeps the mean
// of all that is remembered, and adds it to what pushes bring, which is what differs from it.
//
//   v    = G + mean                      G = (1/N) sum over the batch of (new - remembered)
//   mean = (1/n) sum over all samples of what is remembered: a law, whenever nothing is in flight
//
// In a lazy model a step moves the coordinates j that its batch touches, and no others. There the
// mean counts D_j = 1 / (probability to be touched) times, as h does (lazy_state.cc), so that it is
// right on average; at the optimum such a step stays whatever D is.
//
// Support weights D, for the mean and for h: Pedregosa, Leblond and Lacoste-Julien (2017), Breaking
// the nonsmooth barrier: a scalable parallel method for composite optimization.
#pragma once

#include <memory>
#include <vector>

#include "asynprox/algorithm/methods/method.h"

namespace asynprox {

class MeanGradient {
 public:
  template <class M>
  MeanGradient(const M&, const ServerSetup& setup)
      : num_samples_(setup.num_samples),
        batch_size_(setup.batch_size),
        support_weights_(setup.support_weights),
        mean_(setup.dimension) {}

  // A step with a push about a whole shard only learns, and so do all before every shard is known.
  bool direct(const StepPushes& step, const StepDirection& direction);
  void forget();
  void restored() {}  // the mean is of what workers remember, wherever x is

  const Vector& mean() const { return mean_; }

  template <IsA<MeanGradient> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("mean", part.mean_);
    visit("known", part.known_);
  }

 private:
  // Every push changes the mean by its values: the usual step.
  bool simple(const StepPushes& step) const;
  void add_mean(const StepDirection& direction) const;
  void learn(const Push& push);
  bool shards_known(const Share& share) const;

  double num_samples_, batch_size_;
  std::shared_ptr<const Vector> support_weights_;  // D; null: all 1
  Vector mean_;
  std::vector<bool> known_;  // of each shard: has it been read in this round?
};

}  // namespace asynprox
