#include "asynprox/regularizers/any_regularizer.h"

#include <algorithm>
#include <utility>

namespace asynprox {

// A wrapper, so that a run without intercepts pays nothing for those that have them.
struct AnyRegularizer::PartlyFree final : AnyRegularizer::Interface {
  PartlyFree(std::shared_ptr<const Interface> held, std::size_t seen_count)
      : h(std::move(held)), seen(seen_count) {}

  std::string_view name() const override { return h->name(); }
  std::string spec() const override { return h->spec(); }
  Structure structure() const override { return h->structure(); }
  bool indicator() const override { return h->indicator(); }
  // A free coordinate has no bound.
  std::optional<double> norm_max() const override { return std::nullopt; }
  std::shared_ptr<const Interface> bound(std::size_t dimension, std::size_t free) const override {
    return h->bound(dimension, free);
  }
  double value(std::span<const double> x) const override { return h->value(x.first(seen)); }
  void prox(std::span<double> v, double eta) const override { h->prox(v.first(seen), eta); }
  bool has_scaled_prox() const override { return h->has_scaled_prox(); }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const override {
    h->prox_scaled(v.first(seen), etas.first(seen));
  }
  void prox_each(std::span<const Key> keys, std::span<double> v,
                 std::span<const double> etas) const override {
    for_runs_seen(keys, [&](std::size_t first, std::size_t count) {
      h->prox_each(keys.subspan(first, count), v.subspan(first, count), etas.subspan(first, count));
    });
  }
  double value_each(std::span<const Key> keys, std::span<const double> x) const override {
    double sum = 0;
    for_runs_seen(keys, [&](std::size_t first, std::size_t count) {
      sum += h->value_each(keys.subspan(first, count), x.subspan(first, count));
    });
    return sum;
  }
  double lazy_time(double eta) const override { return h->lazy_time(eta); }
  void prox_after(std::span<const Key> keys, std::span<double> x,
                  std::span<const double> times) const override {
    for_runs_seen(keys, [&](std::size_t first, std::size_t count) {
      h->prox_after(keys.subspan(first, count), x.subspan(first, count),
                    times.subspan(first, count));
    });
  }
  bool has_conjugate() const override { return h->has_conjugate(); }
  double conjugate(std::span<const double> v) const override { return h->conjugate(v.first(seen)); }
  bool homogeneous() const override { return h->homogeneous(); }
  Vector dual_scales(std::span<const double> v) const override {
    return h->dual_scales(v.first(seen));
  }
  std::optional<double> zero_strength(std::span<const double> v) const override {
    return h->zero_strength(v.first(seen));
  }

  // Calls visit(first, count) for the places of keys that h sees, as long runs as there are: one,
  // where keys are in order.
  void for_runs_seen(std::span<const Key> keys, auto&& visit) const {
    const auto is_seen = [&](Key key) { return key < seen; };
    for (auto start = keys.begin(); start != keys.end();) {
      const auto end = std::find_if_not(start, keys.end(), is_seen);
      if (start != end) visit(start - keys.begin(), end - start);
      start = std::find_if(end, keys.end(), is_seen);
    }
  }

  std::shared_ptr<const Interface> h;
  std::size_t seen;
};

std::shared_ptr<const AnyRegularizer::Interface> AnyRegularizer::with_free(
    std::shared_ptr<const Interface> h, std::size_t seen) {
  return std::make_shared<const PartlyFree>(std::move(h), seen);
}

AnyRegularizer AnyRegularizer::bound(std::size_t dimension, std::size_t free) const {
  ensure(free <= dimension, "a regulariser with more free coordinates than there are");
  return AnyRegularizer(h_->bound(dimension, free));
}

std::optional<double> AnyRegularizer::strength_max(std::span<const double> gradient) const {
  Vector v(gradient.begin(), gradient.end());
  scale(v, -1);
  return h_->zero_strength(v);
}

}  // namespace asynprox
