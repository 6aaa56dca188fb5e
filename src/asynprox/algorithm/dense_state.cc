#include "asynprox/algorithm/dense_state.h"

#include <algorithm>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {

void prox_step(const Vector& x, const StepInput& step, const AnyRegularizer& h, Vector& next) {
  std::ranges::fill(next, 0);
  const double share = 1 / step.batch_size;
  for (const Push* push : step.pushes) {
    if (push->keys.all) {
      add_scaled(next, share, push->values);
    } else {
      for (std::size_t i = 0; i < push->values.size(); ++i)
        next[push->keys.list[i]] += share * push->values[i];
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

void read_version(const std::shared_ptr<const Vector>& version, Model& model) {
  model.values.clear();
  model.whole.reset();
  if (model.keys.all) model.whole = version;
  for (const Key key : model.keys.list) model.values.push_back((*version)[key]);
}

namespace {

class DenseState final : public ModelState {
 public:
  DenseState(Vector x0, AnyRegularizer h)
      : dimension_(x0.size()),
        h_(std::move(h)),
        x_(std::make_shared<const Vector>(std::move(x0))),
        next_(pool_.writable(dimension_)) {}

  std::size_t dimension() const override { return dimension_; }

  void read(Model& model) const override { read_version(x_, model); }

  void prefetch(const Keys&) const override {}  // a version is read in order: nothing to gain

  void compute(const StepInput& step) override { prox_step(*x_, step, h_, *next_); }

  bool commit() override {
    if (!all_finite(*next_)) return false;
    x_ = std::exchange(next_, nullptr);
    next_ = pool_.writable(dimension_);
    return true;
  }

  void add_last_step(Hash& hash) const override { hash.add(*x_); }

  Vector iterate() const override { return *x_; }

 private:
  const std::size_t dimension_;
  AnyRegularizer h_;
  VersionPool pool_;
  std::shared_ptr<const Vector> x_;
  std::shared_ptr<Vector> next_;  // nobody else's: compute() writes to it
};

}  // namespace

std::unique_ptr<ModelState> make_dense_state(Vector x0, AnyRegularizer h) {
  return std::make_unique<DenseState>(std::move(x0), std::move(h));
}

}  // namespace asynprox
