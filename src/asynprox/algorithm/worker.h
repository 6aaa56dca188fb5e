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
  // `keyed`: ask for, and push, only the coordinates that the samples touch. The cost of a push
  // does not depend on the dimension then, and memory is 4 bytes a coordinate (20, where f knows no
  // local gradient).
  Worker(AnyFiniteSum f, const SamplingOptions& sampling, bool keyed);

  int id() const { return sampling_options_.worker; }

  // The first message.
  Pull pull() const;

  // Begins another life, after the worker had left: pull() is the first message again.
  void rejoin();

  // Fills `push` with the answer to a reply that brought a model: the gradient there of the next
  // samples, or, if the last push was refused, of the same ones. False: the run is over.
  // Throws ContractError if the server found our push malformed. A reply without a model asks for
  // nothing, and must not come here. The model's keys move from the reply to the push.
  bool answer(Reply& reply, Push& push);

 private:
  void draw_next();
  // The coordinates that the next samples touch; all, unless keyed.
  void list_keys_next(Keys& keys) const;
  void compute(Model& model, Push& push);
  void compute_dense(const Model& model, Push& push);
  void compute_keyed(const Model& model, Push& push);
  void compute_local(const Model& model, Push& push);

  AnyFiniteSum f_;
  SamplingOptions sampling_options_;
  Sampling sampling_;
  bool keyed_, local_;

  std::uint64_t draws_ = 0;
  std::int64_t sequence_ = 0;
  std::vector<SampleIndex> samples_, samples_next_;

  // If keyed: the coordinates that samples_next_ touch, and, if f has local gradients, both
  // batches.
  KeySet keys_next_;
  LocalRows batch_, batch_next_;

  // If keyed and f has none, of size d: the model and the gradient at the coordinates of samples_,
  // anything elsewhere and zero elsewhere.
  Vector x_, gradient_;
};

}  // namespace asynprox
