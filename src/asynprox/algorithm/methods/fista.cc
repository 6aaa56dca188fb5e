#include "asynprox/algorithm/methods/fista.h"

#include <cmath>
#include <utility>

#include "asynprox/algorithm/dense_state.h"
#include "asynprox/problem/problem.h"

namespace asynprox {
namespace {

class FistaState final : public ModelState {
 public:
  FistaState(Vector x0, AnyRegularizer h)
      : dimension_(x0.size()),
        prox_step_(std::move(h), {}),
        x_(std::move(x0)),
        x_next_(dimension_),
        y_(std::make_shared<const Vector>(x_)),
        y_next_(pool_.writable(dimension_)) {}

  std::size_t dimension() const override { return dimension_; }

  void read(Model& model) const override { read_version(y_, model); }

  void prefetch(const Keys&) const override {}

  StepDirection gather(std::span<const Push* const> pushes, double batch_size) override {
    sum_pushes(pushes, batch_size, x_next_);
    return {.v = x_next_};
  }

  void step(double eta) override {
    const Vector& y = *y_;
    prox_step_.apply(y, eta, x_next_);
    double uphill = 0;
    for (std::size_t j = 0; j < y.size(); ++j) uphill += (y[j] - x_next_[j]) * (x_next_[j] - x_[j]);
    const double t = uphill > 0 ? 1 : t_;
    t_next_ = (1 + std::sqrt(1 + 4 * t * t)) / 2;
    const double momentum = (t - 1) / t_next_;
    for (std::size_t j = 0; j < y.size(); ++j)
      (*y_next_)[j] = x_next_[j] + momentum * (x_next_[j] - x_[j]);
  }

  bool commit() override {
    if (!all_finite(x_next_) || !all_finite(*y_next_)) return false;
    x_.swap(x_next_);
    y_ = std::exchange(y_next_, nullptr);
    y_next_ = pool_.writable(dimension_);
    t_ = t_next_;
    return true;
  }

  void set(const Vector& x) override {
    x_next_ = *y_next_ = x;
    t_next_ = 1;
    commit();
  }

  void add_last_step(Hash& hash) const override {
    hash.add(x_);
    hash.add(*y_);
  }

  Vector iterate() const override { return x_; }

  void save(SnapshotWriter& writer) const override {
    writer.put(x_);
    writer.put(*y_);
    writer.put(t_);
  }
  void restore(SnapshotReader& reader) override {
    reader.get(x_next_);
    reader.get(*y_next_);
    reader.get(t_next_);
    require_size(x_next_, dimension_);
    require_size(*y_next_, dimension_);
    commit();
  }

 private:
  const std::size_t dimension_;
  ProxStep prox_step_;
  VersionPool pool_;
  Vector x_, x_next_;
  std::shared_ptr<const Vector> y_;
  std::shared_ptr<Vector> y_next_;
  double t_ = 1, t_next_ = 1;
};

}  // namespace

std::string Fista::obstacle(const Problem& problem) {
  if (problem.f.convex()) return {};
  return "needs a convex loss; prox-gd and the stochastic methods do not";
}

std::unique_ptr<ModelState> Fista::make_state(StateSetup setup) {
  return std::make_unique<FistaState>(std::move(setup.x0), std::move(setup.h));
}

}  // namespace asynprox
