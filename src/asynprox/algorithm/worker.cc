#include "asynprox/algorithm/worker.h"

#include "asynprox/base/errors.h"

namespace asynprox {

Worker::Worker(AnyFiniteSum f, const SamplingOptions& sampling, bool keyed)
    : f_(std::move(f)),
      sampling_options_(sampling),
      sampling_(sampling),
      keyed_(keyed && f_.has_keys()),
      x_(keyed_ ? f_.dimension() : 0),
      gradient_(keyed_ ? f_.dimension() : 0),
      key_set_(keyed_ ? f_.dimension() : 0) {
  draw_next();
}

Pull Worker::pull() { return {id(), sampling_options_.incarnation, batch_next_.keys}; }

bool Worker::answer(const Reply& reply, Push& push) {
  if (reply.verdict == Verdict::stopped) return false;
  const bool again = reply.verdict == Verdict::refused;
  if (again && reply.refusal == Refusal::shape) throw ContractError(reply.detail);
  require(reply.has_model, "a worker can only answer a reply that brings a model");
  if (!again) {
    std::swap(batch_, batch_next_);
    draw_next();
  }
  compute(reply.model, push);
  return true;
}

void Worker::draw_next() {
  sampling_.draw(draws_++, batch_next_.samples);
  if (!keyed_) return;
  key_set_.clear();
  f_.add_keys(batch_next_.samples, key_set_);
  batch_next_.keys.all = false;
  batch_next_.keys.list.assign(key_set_.keys().begin(), key_set_.keys().end());
}

void Worker::compute(const Model& model, Push& push) {
  push.id = {id(), sampling_options_.incarnation, ++sequence_};
  push.version = model.version;
  push.num_samples = static_cast<std::int64_t>(batch_.samples.size());
  push.keys = batch_.keys;
  push.keys_next = batch_next_.keys;
  keyed_ ? compute_keyed(model, push) : compute_dense(model, push);
}

void Worker::compute_dense(const Model& model, Push& push) {
  push.values.assign(f_.dimension(), 0);
  f_.add_gradient(*model.whole, batch_.samples, {}, push.values);
}

void Worker::compute_keyed(const Model& model, Push& push) {
  const std::vector<Key>& keys = batch_.keys.list;
  for (std::size_t i = 0; i < keys.size(); ++i) x_[keys[i]] = model.values[i];
  f_.add_gradient(x_, batch_.samples, {}, gradient_);
  push.values.resize(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    push.values[i] = gradient_[keys[i]];
    gradient_[keys[i]] = 0;
  }
}

}  // namespace asynprox
