// A coordinate that no gradient touches moves by the prox alone, and many such proxes have a closed
// form in the sum of their lazy times (regularizers/regularizer.h). The state keeps the sums over
// the steps so far, and for each coordinate its value and the step that last wrote it. A step that
// touches a coordinate first makes up for what it missed, then applies its own prox at once: only
// later steps may be summed.
//
// Or, with support weights D, it misses nothing: a step moves what it touches alone, and there
// takes h as D_j h_j, which is h on average over the batches.
//
// Proxes made up for later: Duchi and Singer (2009), Efficient online and batch learning using
// forward backward splitting. Support weights: Pedregosa, Leblond and Lacoste-Julien (2017),
// Breaking the nonsmooth barrier: a scalable parallel method for composite optimization.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asynprox/algorithm/model_state.h"
#include "asynprox/base/errors.h"
#include "asynprox/linalg/key_set.h"
#include "asynprox/linalg/large_array.h"
#include "asynprox/linalg/prefetch.h"

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

  template <IsA<Clock> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("high", part.high);
    visit("low", part.low);
  }
};

// After this many steps every coordinate is brought up to date, so that the sums can be forgotten
// and those that are kept stay in a near cache. At d = 1e7 that is 2,441 coordinates a step, one
// after another in memory.
constexpr std::uint32_t kStepsRemembered = 1 << 12;

// Coordinates lie anywhere in memory: a record is asked for so many of them before it is used; to
// be read, into the second cache, which waits for more lines at once than the first.
constexpr std::size_t kKeysAhead = 40;

// What a step notes of its coordinates lies one after another, but the thread that took the step
// before may still have it: it is asked for so many places before it is written, line by line.
constexpr std::size_t kPlacesAhead = 128, kPlacesInALine = 8;

constexpr std::size_t kPiece = 4096;

class LazyState final : public ModelState {
 public:
  LazyState(const Vector& x0, AnyRegularizer h, std::shared_ptr<const Vector> support_weights,
            Vector scales)
      : h_(std::move(h)),
        support_weights_(std::move(support_weights)),
        scales_(std::move(scales)),
        records_(x0.size()) {
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

  // To be read, although some will be written: perhaps by the step of another thread, which a line
  // of one's own would be taken from.
  void prefetch(const Keys& keys) const override {
    for (const Key key : keys.list) __builtin_prefetch(&records_[key], 0, 2);
  }

  StepDirection gather(std::span<const Push* const> pushes, double batch_size) override {
    sum_pushes(pushes, batch_size);
    return {.all = false, .keys = first_of(keys_), .v = first_of(sums_)};
  }

  void step(double eta) override {
    const std::span<double> values = first_of(values_);
    if (!support_weights_) h_.prox_after(first_of(keys_), values, first_of(times_));
    etas_.assign(num_keys_, eta);
    if (!scales_.empty())
      for (std::size_t i = 0; i < num_keys_; ++i) etas_[i] *= scales_[keys_[i]];
    for (std::size_t i = 0; i < num_keys_; ++i) values[i] -= etas_[i] * sums_[i];
    if (support_weights_)
      for (std::size_t i = 0; i < num_keys_; ++i) etas_[i] *= (*support_weights_)[keys_[i]];
    h_.prox_each(first_of(keys_), values, etas_);
    clock_next_ = clocks_.back().advanced(support_weights_ ? 0 : h_.lazy_time(eta));
  }

  bool commit() override {
    if (!all_finite(first_of(values_)) || !std::isfinite(clock_next_.high)) return false;
    if (clocks_.size() > kStepsRemembered) forget_steps();
    const auto now = static_cast<std::uint32_t>(clocks_.size());
    clocks_.push_back(clock_next_);
    for (std::size_t i = 0; i < num_keys_; ++i) {
      if (i + kKeysAhead < num_keys_) prefetch_to_write(&records_[keys_[i + kKeysAhead]]);
      Record& record = records_[keys_[i]];
      record.x = values_[i];
      record.written = now;
    }
    return true;
  }

  void set(const Vector& x) override {
    for (std::size_t j = 0; j < x.size(); ++j) {
      records_[j].x = x[j];
      records_[j].written = 0;
    }
    clocks_.assign(1, {});
  }

  void add_last_step(Hash& hash) const override {
    hash.add(first_of(keys_));
    hash.add(first_of(values_));
  }

  // Coordinates keep what they have missed: to make up for it here would round otherwise.
  void save(SnapshotWriter& writer) const override {
    writer.put_count(records_.size());
    for (std::size_t j = 0; j < records_.size(); ++j) {
      writer.put(records_[j].x);
      writer.put(records_[j].written);
    }
    writer.put(clocks_);
  }
  void restore(SnapshotReader& reader) override {
    constexpr std::size_t bytes = sizeof(double) + sizeof(std::uint32_t);
    if (reader.count(bytes) != records_.size())
      throw DataError("a snapshot cannot be used: its model has another dimension");
    std::uint32_t newest = 0;
    for (std::size_t j = 0; j < records_.size(); ++j) {
      reader.get(records_[j].x);
      reader.get(records_[j].written);
      newest = std::max(newest, records_[j].written);
    }
    reader.get(clocks_);
    if (newest >= clocks_.size())
      throw DataError(
          "a snapshot cannot be used: a coordinate was written by a step that is not there");
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
  void sum_pushes(std::span<const Push* const> pushes, double batch_size) {
    make_room(pushes);
    const double share = 1 / batch_size;
    for (const Push* push : pushes) {
      if (push->keys.all) {
        add_all(push->values, share, [](std::size_t i) { return static_cast<Key>(i); });
      } else {
        const Key* const keys = push->keys.list.data();
        add_all(push->values, share, [=](std::size_t i) { return keys[i]; });
      }
    }
  }

  // A key is in keys_ if it stands there at its own place: nothing has to be cleared. Whether it
  // does is as good as random, so there is no branch on it: what is known of a key that is there
  // is written once more.
  template <class KeyAt>
  void add_all(std::span<const double> values, double share, KeyAt key_at) {
    Key* const keys = keys_.data();
    double* const sums = sums_.data();
    double* const values_before = values_.data();
    double* const times = times_.data();
    Record* const records = records_.data();
    const Clock* const clocks = clocks_.data();
    const Clock now = clocks_.back();
    std::uint32_t num_keys = num_keys_;
    const std::size_t room = keys_.size();  // of each of them
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % kPlacesInALine == 0 && num_keys + kPlacesAhead < room) {
        prefetch_to_write(keys + num_keys + kPlacesAhead);
        prefetch_to_write(sums + num_keys + kPlacesAhead);
        prefetch_to_write(values_before + num_keys + kPlacesAhead);
        prefetch_to_write(times + num_keys + kPlacesAhead);
      }
      if (i + kKeysAhead < values.size()) prefetch_to_write(&records[key_at(i + kKeysAhead)]);
      const Key key = key_at(i);
      Record& record = records[key];
      const std::uint32_t known = (record.place < num_keys) & (keys[record.place] == key);
      const std::uint32_t place = chosen(known, record.place, num_keys);
      sums[num_keys] = -0.0;  // which adds nothing, not even a sign
      keys[place] = key;
      sums[place] += share * values[i];
      values_before[place] = record.x;
      times[place] = now.since(clocks[record.written]);
      record.place = place;
      num_keys += 1 - known;
    }
    num_keys_ = num_keys;
  }

  // For every key of every push. Never shrinks: a place that was noted once can be looked at.
  void make_room(std::span<const Push* const> pushes) {
    num_keys_ = 0;
    std::size_t keys_max = 0;
    for (const Push* push : pushes) keys_max += push->values.size();
    if (keys_max < keys_.size()) return;
    keys_.resize(keys_max + 1);
    sums_.resize(keys_max + 1);
    values_.resize(keys_max + 1);
    times_.resize(keys_max + 1);
  }

  template <class T>
  std::span<T> first_of(std::vector<T>& all) {
    return {all.data(), num_keys_};
  }
  template <class T>
  std::span<const T> first_of(const std::vector<T>& all) const {
    return {all.data(), num_keys_};
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
  std::shared_ptr<const Vector> support_weights_;  // null: coordinates miss proxes
  Vector scales_;                                  // empty: all 1
  LargeArray<Record> records_;
  std::vector<Clock> clocks_;  // the sum of lazy times after each of the steps remembered
  Clock clock_next_;           // after the step under way

  // Of the step under way: the first num_keys_ of each, what comes after is of earlier steps.
  std::uint32_t num_keys_ = 0;
  std::vector<Key> keys_ = {0};
  Vector sums_ = {0};    // G at keys_
  Vector values_ = {0};  // x at keys_, after the step
  Vector times_ = {0};
  Vector etas_;
  mutable Vector read_times_;  // of its own: a read may run beside a step
};

}  // namespace

std::unique_ptr<ModelState> make_lazy_state(const Vector& x0, AnyRegularizer h) {
  return std::make_unique<LazyState>(x0, std::move(h), nullptr, Vector());
}

std::unique_ptr<ModelState> make_support_state(const Vector& x0, AnyRegularizer h,
                                               std::shared_ptr<const Vector> weights,
                                               Vector scales) {
  return std::make_unique<LazyState>(x0, std::move(h), std::move(weights), std::move(scales));
}

}  // namespace asynprox
