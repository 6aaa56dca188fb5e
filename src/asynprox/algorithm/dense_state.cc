#include "asynprox/algorithm/dense_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/prefetch.h"

namespace asynprox {

void sum_pushes(std::span<const Push* const> pushes, double batch_size, Vector& G) {
  std::ranges::fill(G, 0);
  const double share = 1 / batch_size;
  for (const Push* push : pushes) {
    if (push->values.empty()) continue;
    if (push->keys.all) {
      add_scaled(G, share, push->values);
    } else {
      for (std::size_t i = 0; i < push->values.size(); ++i)
        G[push->keys.list[i]] += share * push->values[i];
    }
  }
}

ProxStep::ProxStep(AnyRegularizer h, Vector scales)
    : h_(std::move(h)), scales_(std::move(scales)), etas_(scales_.size()), keys_(scales_.size()) {
  require(scales_.empty() || h_.separable(), "scales need a separable regulariser");
  std::iota(keys_.begin(), keys_.end(), Key{0});
}

void ProxStep::apply(const Vector& x, double eta, Vector& v) {
  if (scales_.empty()) {
    for (std::size_t j = 0; j < x.size(); ++j) v[j] = x[j] - eta * v[j];
    return h_.prox(v, eta);
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    etas_[j] = eta * scales_[j];
    v[j] = x[j] - etas_[j] * v[j];
  }
  h_.prox_each(keys_, v, etas_);
}

std::shared_ptr<Vector> VersionPool::writable(std::size_t size) {
  for (const auto& version : versions_)
    if (version.use_count() == 1) return version;
  return versions_.emplace_back(std::make_shared<Vector>(size));
}

void read_version(const std::shared_ptr<const Vector>& version, Model& model) {
  model.values.clear();
  model.whole.reset();
  if (model.keys.all) model.whole = version;
  for (const Key key : model.keys.list) model.values.push_back((*version)[key]);
}

void require_size(const Vector& x, std::size_t dimension) {
  if (x.size() != dimension)
    throw DataError(
        fmt::format("a snapshot cannot be used: expected a model of {} coordinates, got {}",
                    dimension, x.size()));
}

namespace {

class DenseState final : public ModelState {
 public:
  DenseState(Vector x0, AnyRegularizer h, Vector scales)
      : dimension_(x0.size()),
        prox_step_(std::move(h), std::move(scales)),
        x_(std::make_shared<const Vector>(std::move(x0))),
        next_(pool_.writable(dimension_)) {}

  std::size_t dimension() const override { return dimension_; }

  void read(Model& model) const override { read_version(x_, model); }

  void prefetch(const Keys&) const override {}  // before the lock: it would take what a step needs

  StepDirection gather(std::span<const Push* const> pushes, double batch_size) override {
    prefetch_all_to_write(*next_);
    for (const Push* push : pushes) prefetch_all(push->values);
    prefetch_all(*x_);
    sum_pushes(pushes, batch_size, *next_);
    return {.v = *next_};
  }

  void step(double eta) override { prox_step_.apply(*x_, eta, *next_); }

  bool commit() override {
    if (!all_finite(*next_)) return false;
    x_ = std::exchange(next_, nullptr);
    next_ = pool_.writable(dimension_);
    return true;
  }

  void set(const Vector& x) override {
    *next_ = x;
    commit();
  }

  void add_last_step(Hash& hash) const override { hash.add(*x_); }

  Vector iterate() const override { return *x_; }

  void save(SnapshotWriter& writer) const override { writer.put(*x_); }
  void restore(SnapshotReader& reader) override {
    reader.get(*next_);
    require_size(*next_, dimension_);
    x_ = std::exchange(next_, nullptr);
    next_ = pool_.writable(dimension_);
  }

 private:
  const std::size_t dimension_;
  ProxStep prox_step_;
  VersionPool pool_;
  std::shared_ptr<const Vector> x_;
  std::shared_ptr<Vector> next_;  // nobody else's: compute() writes to it
};

}  // namespace

std::unique_ptr<ModelState> make_dense_state(Vector x0, AnyRegularizer h, Vector scales) {
  return std::make_unique<DenseState>(std::move(x0), std::move(h), std::move(scales));
}

}  // namespace asynprox
