#include "asynprox/algorithm/worker.h"

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Coordinates lie anywhere in memory: they are asked for this many before they are used.
constexpr std::size_t kKeysAhead = 16;

}  // namespace

Worker::Worker(AnyFiniteSum f, const SamplingOptions& sampling, bool keyed)
    : f_(std::move(f)),
      sampling_options_(sampling),
      sampling_(sampling),
      keyed_(keyed && f_.has_keys()),
      local_(keyed_ && f_.has_local_gradient()),
      keys_next_(keyed_ ? f_.dimension() : 0),
      x_(keyed_ && !local_ ? f_.dimension() : 0),
      gradient_(keyed_ && !local_ ? f_.dimension() : 0) {
  draw_next();
}

Pull Worker::pull() const {
  Pull pull = {.worker = id(), .incarnation = sampling_options_.incarnation, .sequence = sequence_};
  list_keys_next(pull.keys);
  return pull;
}

void Worker::rejoin() {
  ++sampling_options_.incarnation;
  sampling_ = Sampling(sampling_options_);
  draws_ = 0;
  sequence_ = 0;
  draw_next();
}

bool Worker::answer(Reply& reply, Push& push) {
  if (reply.verdict == Verdict::stopped) return false;
  const bool again = reply.verdict == Verdict::refused;
  if (again && reply.refusal == Refusal::shape) throw ContractError(reply.detail);
  require(reply.has_model, "a worker can only answer a reply that brings a model");
  if (!again) {
    std::swap(samples_, samples_next_);
    std::swap(batch_, batch_next_);
    draw_next();
  }
  compute(reply.model, push);
  return true;
}

void Worker::draw_next() {
  sampling_.draw(draws_++, samples_next_);
  if (!keyed_) return;
  keys_next_.clear();
  if (local_)
    f_.localize(samples_next_, keys_next_, batch_next_);
  else
    f_.add_keys(samples_next_, keys_next_);
}

void Worker::list_keys_next(Keys& keys) const {
  keys.all = !keyed_;
  keys.list.assign(keys_next_.keys().begin(), keys_next_.keys().end());
}

void Worker::compute(Model& model, Push& push) {
  push.id = {id(), sampling_options_.incarnation, ++sequence_};
  push.version = model.version;
  push.repeated = false;
  push.num_samples = static_cast<std::int64_t>(samples_.size());
  std::swap(push.keys, model.keys);
  list_keys_next(push.keys_next);
  if (local_)
    compute_local(model, push);
  else if (keyed_)
    compute_keyed(model, push);
  else
    compute_dense(model, push);
}

void Worker::compute_dense(const Model& model, Push& push) {
  push.values.assign(f_.dimension(), 0);
  f_.add_gradient(*model.whole, samples_, {}, push.values);
}

void Worker::compute_local(const Model& model, Push& push) {
  push.values.assign(push.keys.list.size(), 0);
  f_.add_local_gradient(batch_, model.values, samples_, {}, push.values);
}

void Worker::compute_keyed(const Model& model, Push& push) {
  const std::vector<Key>& keys = push.keys.list;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + kKeysAhead < keys.size()) {
      __builtin_prefetch(&x_[keys[i + kKeysAhead]], 1);
      __builtin_prefetch(&gradient_[keys[i + kKeysAhead]], 1);
    }
    x_[keys[i]] = model.values[i];
  }
  f_.add_gradient(x_, samples_, {}, gradient_);
  push.values.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    push.values[i] = gradient_[keys[i]];
    gradient_[keys[i]] = 0;
  }
}

}  // namespace asynprox
