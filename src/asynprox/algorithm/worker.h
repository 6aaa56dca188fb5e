// Worker j of Algorithm 1: samples, computes G_j at the model it holds, pushes, and gets the newest
// model in return. Pure, like the server. Owned by one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/sampling.h"
#include "asynprox/linalg/key_set.h"
#include "asynprox/problem/finite_sum.h"

namespace asynprox {

class Worker {
 public:
  // `keyed`: ask for, and push, only the coordinates that the samples touch. Memory is then three
  // numbers a coordinate, and the cost of a push does not depend on the dimension.
  Worker(AnyFiniteSum f, const SamplingOptions& sampling, bool keyed);

  int id() const { return sampling_options_.worker; }

  // The first message.
  Pull pull();

  // Fills `push` with the answer to a reply that brought a model: the gradient there of the next
  // samples, or, if the last push was refused, of the same ones. False: the run is over.
  // Throws ContractError if the server found our push malformed. A reply without a model asks for
  // nothing, and must not come here.
  bool answer(const Reply& reply, Push& push);

 private:
  // Samples, and the coordinates they touch (all, unless keyed).
  struct Batch {
    std::vector<SampleIndex> samples;
    Keys keys;
  };

  void draw_next();
  void compute(const Model& model, Push& push);
  void compute_dense(const Model& model, Push& push);
  void compute_keyed(const Model& model, Push& push);

  AnyFiniteSum f_;
  SamplingOptions sampling_options_;
  Sampling sampling_;
  bool keyed_;

  std::uint64_t draws_ = 0;
  std::int64_t sequence_ = 0;
  Batch batch_, batch_next_;

  // Of size d if keyed: the model and the gradient at the batch's keys, anything elsewhere and zero
  // elsewhere.
  Vector x_, gradient_;
  KeySet key_set_;
};

}  // namespace asynprox
