// A coordinate that no gradient touches moves by the prox alone, and many such proxes have a closed
// form in the sum of their lazy times (regularizers/regularizer.h). The state keeps the sums over
// the steps so far, and for each coordinate its value and the step that last wrote it. A step that
// touches a coordinate first makes up for what it missed, then applies its own prox at once: only
// later steps may be summed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asynprox/algorithm/model_state.h"
#include "asynprox/base/errors.h"
#include "asynprox/linalg/large_array.h"

namespace asynprox {
namespace {

// A sum in two doubles: differences of it stay exact after any number of steps.
struct Clock {
  double high = 0;
  double low = 0;

  Clock advanced(double time) const {
    const double sum = high + time;
    const double part = sum - high;
    return {sum, low + ((high - (sum - part)) + (time - part))};
  }
  double since(const Clock& earlier) const { return (high - earlier.high) + (low - earlier.low); }
};

// After this many steps every coordinate is brought up to date, so that the sums can be forgotten
// and those that are kept stay in a near cache. At d = 1e7 that is 2,441 coordinates a step, one
// after another in memory.
constexpr std::uint32_t kStepsRemembered = 1 << 12;

// Coordinates lie anywhere in memory: a record is asked for this many before it is used, into the
// second cache, which waits for more lines at once than the first.
constexpr std::size_t kKeysAhead = 40;

constexpr std::size_t kPiece = 4096;

class LazyState final : public ModelState {
 public:
  LazyState(const Vector& x0, AnyRegularizer h) : h_(std::move(h)), records_(x0.size()) {
    require(h_.separable(), "a lazy model needs a separable regulariser");
    for (std::size_t j = 0; j < x0.size(); ++j) records_[j].x = x0[j];
    clocks_.reserve(kStepsRemembered + 1);
    clocks_.push_back({});
  }

  std::size_t dimension() const override { return records_.size(); }

  void read(Model& model) const override {
    model.whole.reset();
    if (model.keys.all)
      model.whole = std::make_shared<const Vector>(iterate());
    else
      current(model.keys.list, model.values, read_times_);
  }

  void prefetch(const Keys& keys) const override {
    for (const Key key : keys.list) __builtin_prefetch(&records_[key]);
  }

  void compute(const StepInput& step) override {
    sum_pushes(step);
    h_.prox_after(keys_, values_, times_);
    for (std::size_t i = 0; i < keys_.size(); ++i) values_[i] -= step.eta * sums_[i];
    etas_.assign(keys_.size(), step.eta);
    h_.prox_each(keys_, values_, etas_);
    clock_next_ = clocks_.back().advanced(h_.lazy_time(step.eta));
  }

  bool commit() override {
    if (!all_finite(values_) || !std::isfinite(clock_next_.high)) return false;
    if (clocks_.size() > kStepsRemembered) forget_steps();
    const auto now = static_cast<std::uint32_t>(clocks_.size());
    clocks_.push_back(clock_next_);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      Record& record = records_[keys_[i]];
      record.x = values_[i];
      record.written = now;
    }
    return true;
  }

  void add_last_step(Hash& hash) const override {
    hash.add(keys_);
    hash.add(values_);
  }

  Vector iterate() const override {
    Vector x(records_.size()), values, times;
    for_each_piece([&](std::span<const Key> keys) {
      current(keys, values, times);
      std::ranges::copy(values, x.begin() + keys.front());
    });
    return x;
  }

 private:
  // What is known of a coordinate, in one piece of memory. A step under way writes `place` only,
  // and a read looks at the rest only, so that they may run side by side.
  struct Record {
    double x = 0;
    std::uint32_t written = 0;  // by which of the steps remembered; 0: before them
    std::uint32_t place = 0;    // in keys_, if it is there
  };
  static_assert(sizeof(Record) == 16);

  // Calls work(keys) for all coordinates in order, in pieces.
  template <class Work>
  void for_each_piece(Work work) const {
    std::vector<Key> keys(std::min(kPiece, records_.size()));
    for (std::size_t start = 0; start < records_.size(); start += keys.size()) {
      keys.resize(std::min(keys.size(), records_.size() - start));
      std::iota(keys.begin(), keys.end(), static_cast<Key>(start));
      work(std::span<const Key>(keys));
    }
  }

  // The values of these coordinates now, with the proxes they have missed. `times` is scratch.
  void current(std::span<const Key> keys, Vector& values, Vector& times) const {
    values.resize(keys.size());
    times.resize(keys.size());
    const Clock now = clocks_.back();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i + kKeysAhead < keys.size()) __builtin_prefetch(&records_[keys[i + kKeysAhead]], 0, 2);
      const Record& record = records_[keys[i]];
      values[i] = record.x;
      times[i] = now.since(clocks_[record.written]);
    }
    h_.prox_after(keys, values, times);
  }

  // keys_ = the coordinates touched, each once, sums_ = G there, values_ = x as it was last written
  // and times_ = how long ago.
  void sum_pushes(const StepInput& step) {
    make_room(step);
    const double share = 1 / step.batch_size;
    for (const Push* push : step.pushes) {
      if (push->keys.all) {
        for (std::size_t j = 0; j < push->values.size(); ++j)
          add(static_cast<Key>(j), share * push->values[j]);
        continue;
      }
      const std::vector<Key>& keys = push->keys.list;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i + kKeysAhead < keys.size()) __builtin_prefetch(&records_[keys[i + kKeysAhead]], 0, 2);
        add(keys[i], share * push->values[i]);
      }
    }
    resize(num_keys_);
  }

  // A key is in keys_ if it stands there at its own place: nothing has to be cleared.
  void add(Key key, double value) {
    Record& record = records_[key];
    if (record.place < num_keys_ && keys_[record.place] == key) {
      sums_[record.place] += value;
      return;
    }
    keys_[num_keys_] = key;
    sums_[num_keys_] = value;
    values_[num_keys_] = record.x;
    times_[num_keys_] = clocks_.back().since(clocks_[record.written]);
    record.place = num_keys_++;
  }

  // For every key of every push.
  void make_room(const StepInput& step) {
    std::size_t keys_max = 0;
    for (const Push* push : step.pushes) keys_max += push->values.size();
    num_keys_ = 0;
    resize(keys_max);
  }
  void resize(std::size_t size) {
    keys_.resize(size);
    sums_.resize(size);
    values_.resize(size);
    times_.resize(size);
  }

  void forget_steps() {
    Vector values, times;
    for_each_piece([&](std::span<const Key> keys) {
      current(keys, values, times);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        records_[keys[i]].x = values[i];
        records_[keys[i]].written = 0;
      }
    });
    clock_next_ = Clock().advanced(clock_next_.since(clocks_.back()));
    clocks_.assign(1, {});
  }

  AnyRegularizer h_;
  LargeArray<Record> records_;
  std::vector<Clock> clocks_;  // the sum of lazy times after each of the steps remembered
  Clock clock_next_;           // after the step under way

  std::vector<Key> keys_;  // touched by the step under way
  std::uint32_t num_keys_ = 0;
  Vector sums_;    // G at keys_
  Vector values_;  // x at keys_, after the step
  Vector times_, etas_;
  mutable Vector read_times_;  // of its own: a read may run beside a step
};

}  // namespace

std::unique_ptr<ModelState> make_lazy_state(const Vector& x0, AnyRegularizer h) {
  return std::make_unique<LazyState>(x0, std::move(h));
}

}  // namespace asynprox
