// A coordinate that no gradient touches moves by the prox alone, and many such proxes have a closed
// form in the sum of their lazy times (regularizers/regularizer.h). The state keeps one clock, the
// sum over all steps so far, and for each coordinate its value and the clock when it was last
// written. A step that touches a coordinate first makes up for what it missed, then applies its own
// prox at once: only later steps may be summed.
#include <cmath>

#include "asynprox/algorithm/model_state.h"
#include "asynprox/base/errors.h"
#include "asynprox/linalg/key_set.h"

namespace asynprox {
namespace {

// A sum in two doubles: differences of it stay exact after any number of steps.
struct Clock {
  double high = 0;
  double low = 0;

  void advance(double time) {
    const double sum = high + time;
    const double part = sum - high;
    low += (high - (sum - part)) + (time - part);
    high = sum;
  }
  double since(const Clock& earlier) const { return (high - earlier.high) + (low - earlier.low); }
};

class LazyState final : public ModelState {
 public:
  LazyState(const Vector& x0, AnyRegularizer h)
      : h_(std::move(h)), records_(x0.size()), sums_(x0.size(), 0), touched_(x0.size()) {
    require(h_.separable(), "a lazy model needs a separable regulariser");
    for (std::size_t j = 0; j < x0.size(); ++j) records_[j].x = x0[j];
  }

  std::size_t dimension() const override { return records_.size(); }

  void read(const Keys& keys, Model& model) const override {
    model.whole.reset();
    if (keys.all)
      model.whole = std::make_shared<const Vector>(iterate());
    else
      current(keys.list, model.values, read_times_);
  }

  void compute(const StepInput& step) override {
    sum_pushes(step);
    const std::span<const Key> keys = touched_.keys();
    current(keys, values_, compute_times_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      values_[i] -= step.eta * sums_[keys[i]];
      sums_[keys[i]] = 0;
    }
    etas_.assign(keys.size(), step.eta);
    h_.prox_each(keys, values_, etas_);
    clock_next_ = clock_;
    clock_next_.advance(h_.lazy_time(step.eta));
  }

  bool commit() override {
    if (!all_finite(values_) || !std::isfinite(clock_next_.high)) return false;
    clock_ = clock_next_;
    const std::span<const Key> keys = touched_.keys();
    for (std::size_t i = 0; i < keys.size(); ++i) records_[keys[i]] = {values_[i], clock_};
    return true;
  }

  Vector iterate() const override {
    std::vector<Key> keys(records_.size());
    for (std::size_t j = 0; j < keys.size(); ++j) keys[j] = static_cast<Key>(j);
    Vector x, times;
    current(keys, x, times);
    return x;
  }

 private:
  // What is known of a coordinate, in one piece of memory.
  struct Record {
    double x = 0;
    Clock written;
  };

  // The values of these coordinates now, with the proxes they have missed. `times` is scratch of
  // the caller's, so that a read and a step under way do not meet in it.
  void current(std::span<const Key> keys, Vector& values, Vector& times) const {
    values.resize(keys.size());
    times.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Record& record = records_[keys[i]];
      values[i] = record.x;
      times[i] = clock_.since(record.written);
    }
    h_.prox_after(keys, values, times);
  }

  // sums_ = G and touched_ = its keys.
  void sum_pushes(const StepInput& step) {
    touched_.clear();
    const double share = 1 / step.batch_size;
    for (const Push* push : step.pushes) {
      for (std::size_t i = 0; i < push->values.size(); ++i) {
        const Key key = push->keys.all ? static_cast<Key>(i) : push->keys.list[i];
        touched_.add(key);
        sums_[key] += share * push->values[i];
      }
    }
  }

  AnyRegularizer h_;
  Clock clock_, clock_next_;
  std::vector<Record> records_;
  Vector sums_;     // all zero between steps
  KeySet touched_;  // of the step under way
  Vector values_;   // of the touched keys, after the step under way
  Vector etas_;
  Vector compute_times_;
  mutable Vector read_times_;
};

}  // namespace

std::unique_ptr<ModelState> make_lazy_state(const Vector& x0, AnyRegularizer h) {
  return std::make_unique<LazyState>(x0, std::move(h));
}

}  // namespace asynprox
