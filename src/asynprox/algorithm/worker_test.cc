#include "asynprox/algorithm/worker.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// F(x; i) = (i + 1) x_{i mod 3}: the gradient tells which samples were used.
struct Staircase {
  std::size_t dimension() const { return 3; }
  std::size_t num_samples() const { return 9; }
  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const SampleIndex i : samples) sum += (i + 1) * x[i % 3];
    return sum;
  }
  void add_gradient(std::span<const double>, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s)
      g[samples[s] % 3] += (samples[s] + 1) * (weights.empty() ? 1 : weights[s]);
  }
  void add_keys(Samples samples, KeySet& keys) const {
    for (const SampleIndex i : samples) keys.add(i % 3);
  }
  double mean_keys() const { return 1; }
};

Reply model_reply(Verdict verdict, std::int64_t version, const std::vector<Key>& keys) {
  Reply reply;
  reply.verdict = verdict;
  reply.has_model = true;
  reply.model.version = version;
  reply.model.whole = std::make_shared<const Vector>(3, 0.0);
  reply.model.keys = Keys::only(keys);
  reply.model.values.assign(keys.size(), 0);
  return reply;
}

bool answer(Worker& worker, Reply reply, Push& push) { return worker.answer(reply, push); }

const SamplingOptions kSampling = {.seed = 5, .samples_per_push = 2, .num_samples = 9};

TEST(Worker, ComputesTheSameSamplesAgainAfterARefusal) {
  Worker worker(Staircase{}, kSampling, /*keyed=*/false);
  worker.pull();
  Push first, again, next;
  answer(worker, model_reply(Verdict::accepted, 0, {}), first);
  answer(worker, model_reply(Verdict::refused, 3, {}), again);
  answer(worker, model_reply(Verdict::accepted, 4, {}), next);
  EXPECT_EQ(first.values, again.values);
  EXPECT_NE(again.values, next.values);
  EXPECT_EQ(first.id.sequence, 1);
  EXPECT_EQ(again.id.sequence, 2);
  EXPECT_EQ(again.version, 3);
}

TEST(Worker, KeyedPushesHoldTheSameNumbersAsWholeOnes) {
  Worker whole(Staircase{}, kSampling, /*keyed=*/false), keyed(Staircase{}, kSampling, true);
  std::vector<Key> keys = keyed.pull().keys.list;
  for (int i = 0; i < 50; ++i) {
    Push a, b;
    answer(whole, model_reply(Verdict::accepted, i, {}), a);
    answer(keyed, model_reply(Verdict::accepted, i, keys), b);
    EXPECT_EQ(b.keys.list, keys);
    Vector spread(3, 0);
    for (std::size_t k = 0; k < keys.size(); ++k) spread[keys[k]] = b.values[k];
    EXPECT_EQ(spread, a.values);
    keys = b.keys_next.list;
  }
}

TEST(Worker, DrawsDifferByWorkerAndIncarnation) {
  SamplingOptions other = kSampling, reborn = kSampling;
  other.worker = 1;
  reborn.incarnation = 1;
  std::vector<SampleIndex> a, b, c, again;
  Sampling(kSampling).draw(3, a);
  Sampling(other).draw(3, b);
  Sampling(reborn).draw(3, c);
  Sampling(kSampling).draw(3, again);
  EXPECT_EQ(a, again);
  EXPECT_NE(a, b);
  EXPECT_NE(a, c);
}

TEST(Worker, ShardsCoverEverySampleOnce) {
  std::vector<SampleIndex> all, shard;
  for (int worker = 0; worker < 4; ++worker) {
    const SamplingOptions options = {
        .worker = worker, .num_samples = 9, .whole_shard = true, .num_shards = 4};
    Sampling(options).draw(0, shard);
    all.insert(all.end(), shard.begin(), shard.end());
  }
  EXPECT_EQ(all, (std::vector<SampleIndex>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

// "No coordinates" is not "all": a batch of empty rows asks for nothing and pushes nothing.
TEST(Worker, OfABatchWithoutCoordinatesAsksForNone) {
  struct Nothing : Staircase {
    void add_gradient(std::span<const double>, Samples, std::span<const double>,
                      std::span<double>) const {}
    void add_keys(Samples, KeySet&) const {}
  };
  Worker worker(Nothing{}, kSampling, /*keyed=*/true);
  const Pull pull = worker.pull();
  EXPECT_FALSE(pull.keys.all);
  EXPECT_TRUE(pull.keys.list.empty());
  Push push;
  answer(worker, model_reply(Verdict::accepted, 0, {}), push);
  EXPECT_FALSE(push.keys.all || push.keys_next.all);
  EXPECT_TRUE(push.values.empty());
}

TEST(Worker, AnswersOnlyAReplyThatBringsAModel) {
  Worker worker(Staircase{}, kSampling, /*keyed=*/false);
  Reply reply;
  reply.verdict = Verdict::refused;
  reply.refusal = Refusal::duplicate;
  Push push;
  EXPECT_THROW(worker.answer(reply, push), ContractError);
}

TEST(Worker, ThrowsWhatTheServerFoundMalformed) {
  Worker worker(Staircase{}, kSampling, /*keyed=*/false);
  Reply reply;
  reply.verdict = Verdict::refused;
  reply.refusal = Refusal::shape;
  reply.detail = "push 1 of worker 0: expected 2 values, got 3";
  Push push;
  EXPECT_THROW(worker.answer(reply, push), ContractError);
}

}  // namespace
}  // namespace asynprox
