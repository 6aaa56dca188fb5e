#include "asynprox/algorithm/dense_state.h"

#include <algorithm>

#include "asynprox/base/errors.h"

namespace asynprox {

void prox_step(const Vector& x, const StepInput& step, const AnyRegularizer& h, Vector& next) {
  std::ranges::fill(next, 0);
  const double share = 1 / step.batch_size;
  for (const Push* push : step.pushes) {
    if (push->values.size() == next.size() && push->keys.empty()) {
      add_scaled(next, share, push->values);
    } else {
      for (std::size_t i = 0; i < push->keys.size(); ++i)
        next[push->keys[i]] += share * push->values[i];
    }
  }
  for (std::size_t j = 0; j < x.size(); ++j) next[j] = x[j] - step.eta * next[j];
  h.prox(next, step.eta);
}

std::shared_ptr<Vector> VersionPool::writable(std::size_t size) {
  for (const auto& version : versions_)
    if (version.use_count() == 1) return version;
  return versions_.emplace_back(std::make_shared<Vector>(size));
}

namespace {

class DenseState final : public ModelState {
 public:
  DenseState(Vector x0, AnyRegularizer h)
      : h_(std::move(h)), x_(std::make_shared<const Vector>(std::move(x0))) {}

  std::size_t dimension() const override { return x_->size(); }

  void read(std::span<const Key> keys, Model& model) const override {
    model.values.clear();
    model.whole.reset();
    if (keys.empty()) model.whole = x_;
    for (const Key key : keys) model.values.push_back((*x_)[key]);
  }

  void compute(const StepInput& step) override {
    next_ = pool_.writable(x_->size());
    prox_step(*x_, step, h_, *next_);
  }

  bool commit() override {
    const std::shared_ptr<Vector> next = std::move(next_);
    if (!all_finite(*next)) return false;
    x_ = next;
    return true;
  }

  Vector iterate() const override { return *x_; }

 private:
  AnyRegularizer h_;
  VersionPool pool_;
  std::shared_ptr<const Vector> x_;
  std::shared_ptr<Vector> next_;
};

}  // namespace

std::unique_ptr<ModelState> make_dense_state(Vector x0, AnyRegularizer h) {
  return std::make_unique<DenseState>(std::move(x0), std::move(h));
}

}  // namespace asynprox
