// What a method is: what workers push, and the direction the server makes of it.
//
//   x <- prox_{eta h}(x - eta v),     v = direct(G),   G = (1/N) sum of the step's pushes
//
// A method is a struct with
//   name, formula, parameters()      see base/family.h
//   traits                           what planning has to know of it
//   ServerPart                       what the server keeps for it: made of the method and a
//                                    ServerSetup, with
//     direct(step, v)                from G to the direction, in place. False: the step only learns
//                                    something, and x stays
//     forget()                       what workers remembered is void: they begin anew
//     restored()                     x went back to an earlier one
//   WorkerPart                       what a worker remembers: made of the method and a WorkerSetup,
//                                    and made anew when its samples are dealt anew, with
//     wants_shard(number)            push `number`, from 0, is about all samples of the shard, at
//                                    the whole model
//     compute(batch, push)           adds to push.values (zeros so far, of the batch's dimension),
//                                    and says what else of the push differs from a plain one
//     compute_shard(batch, push)     the same for a push that is about the shard
//     accepted()                     the last push counts: only now it may be remembered
//
// and, where the method needs them,
//   obstacle(problem)                a std::string that says what is missing ("needs a convex
//                                    loss"); empty: the method can be used for the problem
//   make_state(setup)                a model at the server of its own, as a
//                                    std::unique_ptr<ModelState> made of a StateSetup; without it
//                                    the model is dense or lazy, as planned (model_state.h)
//
// Where workers remember gradients, for the law that the server knows their mean:
//   ServerPart::mean()               that mean
//   WorkerPart::add_remembered(f, g) g += the sum of the gradients it remembers
//
// What a part has to keep from one call to the next it lists as its fields (base/fields.h), so that a run
// can be saved; a part that keeps nothing is an empty class. Runs of a method that does neither work all
// the same, but cannot be saved.
//
// Both are pure: no clock, no thread, nothing random but by counters. The laws of every method are
// in tests/methods_laws_test.cc, for all that methods/all.h lists; plain.h has parts that do
// nothing.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "asynprox/algorithm/batch.h"
#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/methods/method_traits.h"
#include "asynprox/algorithm/step_direction.h"
#include "asynprox/base/random.h"
#include "asynprox/sampling/sampling.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

struct Problem;  // problem/problem.h

// Of the server's part.
struct ServerSetup {
  std::size_t dimension = 1;
  double num_samples = 1;  // n
  double batch_size = 1;   // N
  std::optional<std::int64_t> horizon = {};

  // If a step moves the touched coordinates only: 1 / (the probability that one is); else empty.
  std::shared_ptr<const Vector> support_weights = {};
};

// The pushes of a step.
struct StepPushes {
  std::span<const Push* const> pushes;
  std::int64_t round = 0;  // what pushes of earlier rounds would change is void
};

// Of a worker's part.
struct WorkerSetup {
  AnyFiniteSum f;
  Random random = Random(1);  // of this worker, in this life
  SampleRange shard = {};     // its samples, if the method owns them
  std::int64_t samples_per_push = 1;
};

template <class M>
concept Method =
    std::default_initializable<M> && std::copyable<M> &&
    std::constructible_from<typename M::ServerPart, M, ServerSetup> &&
    std::constructible_from<typename M::WorkerPart, M, WorkerSetup> &&
    requires(typename M::ServerPart server, typename M::WorkerPart worker, const StepPushes& step,
             const StepDirection& direction, const Batch& batch, Push& push) {
      { M::name } -> std::convertible_to<std::string_view>;
      { M::formula } -> std::convertible_to<std::string_view>;
      { M::traits } -> std::convertible_to<MethodTraits>;
      M::parameters();
      { server.direct(step, direction) } -> std::same_as<bool>;
      server.forget();
      server.restored();
      { worker.wants_shard(std::uint64_t{}) } -> std::same_as<bool>;
      worker.compute(batch, push);
      worker.compute_shard(batch, push);
      worker.accepted();
    };

}  // namespace asynprox
