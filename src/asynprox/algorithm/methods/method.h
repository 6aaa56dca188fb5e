// What a method is: what workers push, and the direction the server makes of it.
//
//   x <- prox_{eta h}(x - eta v),     v = direct(G),   G = (1/N) sum of the step's pushes
//
// A method is a struct with
//   name, formula, parameters()      see base/family.h
//   traits                           what it needs, and how its workers take turns
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
// Where workers remember gradients, for the law that the server knows their mean:
//   ServerPart::mean()               that mean
//   WorkerPart::add_remembered(f, g) g += the sum of the gradients it remembers
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
#include "asynprox/algorithm/step_direction.h"
#include "asynprox/base/random.h"
#include "asynprox/sampling/sampling.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

enum class Turns {
  asynchronous,  // no worker waits for another, but for the bound on staleness
  synchronous,   // every worker once in every step, none stale
};

struct MethodTraits {
  Turns turns = Turns::asynchronous;
  bool directs = false;           // v is another than G
  bool whole_gradient = false;    // a step uses every sample once: no noise
  bool accelerated = false;       // gradients are wanted at an extrapolated point (fista_state.cc)
  bool convex_only = false;       // f must be convex
  bool owns_samples = false;      // a worker remembers its samples, so it draws from these alone
  bool needs_scalars = false;     // f must have the facet factored: a linear model
  double cost = 1;                // gradients computed for each sample of a batch, on average
  bool batches_grow = false;      // ... where noise makes F rise: it keeps nothing that knows N
  bool reduces_variance = false;  // its noise vanishes at the optimum: steps need not become small
  bool lazy = true;               // can step at the coordinates that a batch touches only
  bool on_support = false;        // ... and moves no others: h counts for more where it is touched
};

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
