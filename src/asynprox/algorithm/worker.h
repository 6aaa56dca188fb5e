// Worker j of Algorithm 1: samples, computes G_j at the model it holds, pushes, and gets the newest
// model in return. Pure, like the server. Owned by one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "asynprox/algorithm/batch.h"
#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/methods/any_method.h"
#include "asynprox/linalg/key_set.h"
#include "asynprox/sampling/any_sampling.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

struct WorkerOptions {
  int worker = 0;  // its number, of
  int workers = 1;
  std::uint64_t seed = 1;
  std::int64_t samples_per_push = 1;  // N / m

  // Ask for, and push, only the coordinates that the samples touch. The cost of a push does not
  // depend on the dimension then, and memory is 4 bytes per coordinate (20, where f knows no local
  // gradient).
  bool keyed = false;

  // Asked now and then during a gradient of very many samples, which ends early if it says true.
  std::function<bool()> interrupted = {};

  // L_i, for sampling rules that ask for it.
  std::shared_ptr<const Vector> sample_lipschitz = {};
};

class Worker {
 public:
  Worker(AnyFiniteSum f, AnyMethod method, AnySampling sampling, const WorkerOptions& options);

  int id() const { return options_.worker; }

  // The first message.
  Pull pull() const;

  // Begins another life, after the worker had left: pull() is the first message again.
  void rejoin() { rejoin(incarnation_ + 1); }
  // The same in a life with this number, above those before.
  void rejoin(int incarnation);

  // Fills `push` with the answer to a reply that brought a model: the gradient there of the next
  // samples, or, if the last push was refused, of the same ones. False: the run is over, or
  // somebody interrupted it; a worker that is restored from here answers the same reply as if it
  // had not been. Throws ContractError if the server found our push malformed, or if the
  // model lacks coordinates that the samples touch. A reply without a model asks for nothing, and
  // must not come here. The model's keys move from the reply to the push.
  bool answer(Reply& reply, Push& push);

  // What it remembers.
  const AnyWorkerPart& part() const { return *part_; }

  // All that changes during a run: a worker made in the same way goes on from there.
  void save(SnapshotWriter& writer) const;
  void restore(SnapshotReader& reader);

 private:
  // What a push is about: samples drawn, or the whole shard.
  struct Draw {
    bool shard = false;
    std::vector<SampleIndex> samples;
    Vector weights;            // empty: all 1
    LocalRows rows;            // if keyed and f has local gradients
    std::size_t num_keys = 0;  // the coordinates that the samples touch, if keyed

    // Rows and keys follow from the samples.
    template <IsA<Draw> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("shard", part.shard);
      visit("samples", part.samples);
      visit("weights", part.weights);
    }
  };

  // In which life it is, and of which samples: its parts are made of that.
  template <class Self>
  static void visit_life(Self& self, auto&& visit) {
    visit("incarnation", self.incarnation_);
    visit("share", self.share_);
  }
  template <class Self>
  static void visit_memory(Self& self, auto&& visit) {
    visit("sequence", self.sequence_);
    visit("pushes", self.pushes_);
    visit("draws", self.draws_);
    visit("unanswered", self.unanswered_);
    visit("broken_off", self.broken_off_);
    visit("draw", self.draw_);
    visit("draw_next", self.draw_next_);
    visit("part", *self.part_);
  }

  // Forgets what it remembered, and draws from its share from now on.
  void begin();
  SampleRange shard() const;
  // `turn`: the number of that draw, if workers take turns.
  void draw_next(std::int64_t turn);
  // Throws DataError.
  void check_samples(const Draw& draw) const;
  // The coordinates that the samples of a draw touch, as keys_next_.
  void find_keys(Draw& draw);
  // The coordinates that the next samples touch; all, unless keyed.
  void list_keys_next(Keys& keys) const;
  // Throws ContractError if the model does not have the coordinates that draw_ needs.
  void check(const Model& model) const;
  void compute(Model& model, Push& push);

  AnyFiniteSum f_;
  AnyMethod method_;
  AnySampling sampling_;
  WorkerOptions options_;
  bool keyed_, local_;

  int incarnation_ = 0;
  std::int64_t sequence_ = 0;
  Share share_;
  std::unique_ptr<AnyWorkerPart> part_;
  std::unique_ptr<AnySampler> sampler_;
  std::uint64_t pushes_ = 0, draws_ = 0;  // since it began
  bool unanswered_ = false;               // a push of which we do not know whether it counts
  bool broken_off_ = false;               // a gradient of draw_, of which nothing is left
  Draw draw_, draw_next_;
  KeySet keys_next_;  // if keyed: the coordinates that draw_next_ touches
  Batch::Scratch scratch_;
};

}  // namespace asynprox
