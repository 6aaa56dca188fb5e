#include "asynprox/algorithm/worker.h"

#include <gtest/gtest.h>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/sampling/all.h"

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
  reply.model.keys = keys.empty() ? Keys{} : Keys::only(keys);
  reply.model.values.assign(keys.size(), 0);
  return reply;
}

bool answer(Worker& worker, Reply reply, Push& push) { return worker.answer(reply, push); }

Worker make_worker(const AnyFiniteSum& f, bool keyed) {
  return {f, AsynProxSgd{}, Replacement{}, {.seed = 5, .samples_per_push = 2, .keyed = keyed}};
}

TEST(Worker, ComputesTheSameSamplesAgainAfterARefusal) {
  Worker worker = make_worker(Staircase{}, /*keyed=*/false);
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
  Worker whole = make_worker(Staircase{}, false), keyed = make_worker(Staircase{}, true);
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

TEST(Worker, DrawsDifferByWorkerAndLife) {
  const auto first_push = [](int number, bool reborn) {
    Worker worker(Staircase{}, AsynProxSgd{}, Replacement{},
                  {.worker = number, .seed = 5, .samples_per_push = 200});
    if (reborn) worker.rejoin();
    Push push;
    answer(worker, model_reply(Verdict::accepted, 0, {}), push);
    return push.values;
  };
  EXPECT_EQ(first_push(0, false), first_push(0, false));
  EXPECT_NE(first_push(0, false), first_push(1, false));
  EXPECT_NE(first_push(0, false), first_push(0, true));
}

TEST(Worker, PartsCoverEverySampleOnce) {
  std::size_t covered = 0;
  for (int worker = 0; worker < 4; ++worker) {
    const SampleRange part = SampleRange::part(9, worker, 4);
    EXPECT_EQ(part.first, covered);
    covered = part.last;
  }
  EXPECT_EQ(covered, 9);
}

// "No coordinates" is not "all": a batch of empty rows asks for nothing and pushes nothing.
TEST(Worker, OfABatchWithoutCoordinatesAsksForNone) {
  struct Nothing : Staircase {
    void add_gradient(std::span<const double>, Samples, std::span<const double>,
                      std::span<double>) const {}
    void add_keys(Samples, KeySet&) const {}
  };
  Worker worker = make_worker(Nothing{}, /*keyed=*/true);
  const Pull pull = worker.pull();
  EXPECT_FALSE(pull.keys.all);
  EXPECT_TRUE(pull.keys.list.empty());
  Push push;
  Reply reply = model_reply(Verdict::accepted, 0, {});
  reply.model.keys = Keys::only({});
  answer(worker, reply, push);
  EXPECT_FALSE(push.keys.all || push.keys_next.all);
  EXPECT_TRUE(push.values.empty());
}

TEST(Worker, AnswersOnlyAReplyThatBringsAModel) {
  Worker worker = make_worker(Staircase{}, /*keyed=*/false);
  Reply reply;
  reply.verdict = Verdict::refused;
  reply.refusal = Refusal::duplicate;
  Push push;
  EXPECT_THROW(worker.answer(reply, push), ContractError);
}

// Reading what it does not have would be reading beyond its end.
TEST(Worker, RefusesAModelThatLacksCoordinatesOfItsSamples) {
  const auto complaint = [](const AnyMethod& method, bool keyed, Reply reply) -> std::string {
    Worker worker(Staircase{}, method, Replacement{},
                  {.seed = 5, .samples_per_push = 200, .keyed = keyed});
    Push push;
    try {
      worker.answer(reply, push);
    } catch (const ContractError& error) {
      return error.what();
    }
    return "none";
  };
  const Reply two = model_reply(Verdict::accepted, 0, {0, 1});
  const Reply all = model_reply(Verdict::accepted, 0, {0, 1, 2});
  const Reply whole = model_reply(Verdict::accepted, 0, {});
  EXPECT_EQ(complaint(AsynProxSgd{}, true, all), "none");
  EXPECT_EQ(complaint(AsynProxSgd{}, true, whole), "none");
  EXPECT_EQ(complaint(AsynProxSgd{}, true, two),
            "worker 0: expected the 3 coordinates of its samples, got 2");
  EXPECT_EQ(complaint(AsynProxSgd{}, false, two),
            "worker 0: expected the whole model, got 2 of 3 coordinates");
  // Its first push is about all samples of its share, at the whole model.
  EXPECT_EQ(complaint(AsynProxSvrg{}, true, whole), "none");
  EXPECT_EQ(complaint(AsynProxSvrg{}, true, all),
            "worker 0: expected the whole model, got 3 of 3 coordinates");
  Reply none = whole;
  none.model.whole = nullptr;
  EXPECT_EQ(complaint(AsynProxSgd{}, false, none),
            "worker 0: expected a model of 3 coordinates, got 0");
}

TEST(Worker, ThrowsWhatTheServerFoundMalformed) {
  Worker worker = make_worker(Staircase{}, /*keyed=*/false);
  Reply reply;
  reply.verdict = Verdict::refused;
  reply.refusal = Refusal::shape;
  reply.detail = "push 1 of worker 0: expected 2 values, got 3";
  Push push;
  EXPECT_THROW(worker.answer(reply, push), ContractError);
}

}  // namespace
}  // namespace asynprox
