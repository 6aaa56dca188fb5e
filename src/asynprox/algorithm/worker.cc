#include "asynprox/algorithm/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/prefetch.h"

namespace asynprox {
namespace {

// Beside the numbers of workers.
constexpr std::uint64_t kSharedStream = 0x504153534553;

// More turns than a life has.
constexpr int kLifeBits = 40;

}  // namespace

Worker::Worker(AnyFiniteSum f, AnyMethod method, AnySampling sampling, const WorkerOptions& options)
    : f_(std::move(f)),
      method_(std::move(method)),
      sampling_(std::move(sampling)),
      options_(options),
      keyed_(options.keyed && f_.sparse()),
      local_(keyed_ && f_.local()),
      share_{.round = 0, .number = options.worker, .of = options.workers},
      keys_next_(keyed_ ? f_.dimension() : 0) {
  if (keyed_ && !local_)
    scratch_ = {.x = Vector(f_.dimension()), .gradient = Vector(f_.dimension())};
  begin();
}

Pull Worker::pull() const {
  Pull pull = {.worker = id(), .incarnation = incarnation_, .sequence = sequence_};
  list_keys_next(pull.keys);
  pull.round = share_.round;
  return pull;
}

void Worker::rejoin(int incarnation) {
  require(incarnation > incarnation_, "a worker's next life has a number above those before");
  incarnation_ = incarnation;
  sequence_ = 0;
  begin();
}

SampleRange Worker::shard() const {
  return SampleRange::part(f_.num_samples(), share_.number, share_.of);
}

void Worker::begin() {
  const bool owns = method_.traits().batch == BatchOf::own_samples;
  const SampleRange range = owns ? shard() : SampleRange{.first = 0, .last = f_.num_samples()};
  auto count = static_cast<std::size_t>(options_.samples_per_push);
  if (owns) count = std::min(count, range.size());
  Random random = Random(options_.seed).stream(id()).stream(incarnation_);
  if (share_.round > 0) random = random.stream(share_.round);
  part_ = method_.worker_part({.f = f_,
                               .random = random,
                               .shard = shard(),
                               .samples_per_push = static_cast<std::int64_t>(count)});
  sampler_ =
      sampling_.sampler({.random = random,
                         .range = range,
                         .count = count,
                         .distinct = owns,
                         .shared = owns ? random : Random(options_.seed).stream(kSharedStream),
                         .sample_lipschitz = options_.sample_lipschitz});
  pushes_ = draws_ = 0;
  unanswered_ = broken_off_ = false;
  // In a later life, a turn that nobody else comes to.
  draw_next(id() + (static_cast<std::int64_t>(incarnation_) << kLifeBits));
}

bool Worker::answer(Reply& reply, Push& push) {
  if (reply.verdict == Verdict::stopped) return false;
  const bool again = reply.verdict == Verdict::refused;
  if (again && reply.refusal == Refusal::shape) throw ContractError(reply.detail);
  require(reply.has_model, "a worker can only answer a reply that brings a model");
  if (method_.traits().batch == BatchOf::own_samples && reply.share.round != share_.round) {
    share_ = reply.share;
    begin();
  } else if (!again && std::exchange(unanswered_, false)) {
    part_->accepted();
  }
  if (const bool begun = std::exchange(broken_off_, false); !begun && (!again || pushes_ == 0)) {
    std::swap(draw_, draw_next_);
    ++pushes_;
    // They come while the next samples are drawn.
    if (reply.model.whole) prefetch_all(*reply.model.whole);
    prefetch_all_to_write(push.values);
    draw_next(reply.turn);
  }
  try {
    compute(reply.model, push);
  } catch (const BatchInterrupted&) {
    broken_off_ = true;
    --sequence_;
    std::swap(push.keys, reply.model.keys);
    return false;
  }
  return true;
}

void Worker::draw_next(std::int64_t turn) {
  draw_next_.shard = part_->wants_shard(pushes_);
  if (draw_next_.shard) {
    keys_next_.clear();
    const SampleRange range = shard();
    draw_next_.weights.clear();
    draw_next_.samples.resize(range.size());
    std::iota(draw_next_.samples.begin(), draw_next_.samples.end(),
              static_cast<SampleIndex>(range.first));
    return;
  }
  const bool takes_turns =
      sampling_.takes_turns() && method_.traits().batch != BatchOf::own_samples;
  sampler_->draw(takes_turns ? turn : draws_++, draw_next_.samples, draw_next_.weights);
  find_keys(draw_next_);
}

void Worker::find_keys(Draw& draw) {
  keys_next_.clear();
  if (!keyed_ || draw.shard) return;
  if (local_)
    f_.local()->localize(draw.samples, keys_next_, draw.rows);
  else
    f_.sparse()->add_keys(draw.samples, keys_next_);
  draw.num_keys = keys_next_.keys().size();
}

void Worker::save(SnapshotWriter& writer) const {
  visit_life(*this, writer);
  visit_memory(*this, writer);
}

void Worker::restore(SnapshotReader& reader) {
  visit_life(*this, reader);
  begin();
  visit_memory(*this, reader);
  check_samples(draw_);
  check_samples(draw_next_);
  find_keys(draw_);
  find_keys(draw_next_);
}

void Worker::check_samples(const Draw& draw) const {
  const auto fits = [&](SampleIndex sample) { return sample < f_.num_samples(); };
  if (!std::ranges::all_of(draw.samples, fits) ||
      (!draw.weights.empty() && draw.weights.size() != draw.samples.size()))
    throw DataError("a snapshot cannot be used: a worker has samples that the data do not have");
}

void Worker::list_keys_next(Keys& keys) const {
  keys.all = !keyed_ || draw_next_.shard;
  keys.list.assign(keys_next_.keys().begin(), keys_next_.keys().end());
}

void Worker::check(const Model& model) const {
  if (model.keys.all) {
    if (model.whole && model.whole->size() == f_.dimension()) return;
    throw ContractError(fmt::format("worker {}: expected a model of {} coordinates, got {}", id(),
                                    f_.dimension(), model.whole ? model.whole->size() : 0));
  }
  const std::size_t given = std::min(model.keys.list.size(), model.values.size());
  if (!keyed_ || draw_.shard)
    throw ContractError(fmt::format("worker {}: expected the whole model, got {} of {} coordinates",
                                    id(), given, f_.dimension()));
  if (given != draw_.num_keys)
    throw ContractError(fmt::format("worker {}: expected the {} coordinates of its samples, got {}",
                                    id(), draw_.num_keys, given));
}

void Worker::compute(Model& model, Push& push) {
  check(model);
  push.id = {id(), incarnation_, ++sequence_};
  push.version = model.version;
  push.repeated = false;
  push.num_samples = static_cast<std::int64_t>(draw_.samples.size());
  push.share = share_;
  push.memory = MemoryChange::nothing;
  push.memory_change.clear();
  std::swap(push.keys, model.keys);
  list_keys_next(push.keys_next);
  const Batch batch(f_, draw_.samples, draw_.weights, model, push.keys,
                    local_ ? &draw_.rows : nullptr, scratch_,
                    options_.interrupted ? &options_.interrupted : nullptr);
  push.values.assign(batch.dimension(), 0);
  if (draw_.shard)
    part_->compute_shard(batch, push);
  else
    part_->compute(batch, push);
  unanswered_ = true;
}

}  // namespace asynprox
