#include "asynprox/regularizers/any_regularizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace asynprox {

namespace {

// A wrapper, so that a run without intercepts pays nothing for those that have them.
struct PartlyFree final : RegularizerInterface {
  PartlyFree(Shared held, std::size_t seen_count) : h(std::move(held)), seen(seen_count) {
    facts = h->facts;
  }

  std::string_view name() const override { return h->name(); }
  std::string spec() const override { return h->spec(); }
  // A free coordinate has no bound.
  std::optional<double> norm_max() const override { return std::nullopt; }
  Shared bound(std::size_t dimension, std::size_t free) const override {
    return h->bound(dimension, free);
  }
  double value(Numbers x) const override { return h->value(x.first(seen)); }
  void prox(Out v, double eta) const override { h->prox(v.first(seen), eta); }
  void prox_scaled(Out v, Numbers etas) const override {
    h->prox_scaled(v.first(seen), etas.first(seen));
  }
  void prox_each(Keys keys, Out v, Numbers etas) const override {
    for_runs_seen(keys, [&](std::size_t first, std::size_t count) {
      h->prox_each(keys.subspan(first, count), v.subspan(first, count), etas.subspan(first, count));
    });
  }
  double value_each(Keys keys, Numbers x) const override {
    double sum = 0;
    for_runs_seen(keys, [&](std::size_t first, std::size_t count) {
      sum += h->value_each(keys.subspan(first, count), x.subspan(first, count));
    });
    return sum;
  }
  double lazy_time(double eta) const override { return h->lazy_time(eta); }
  void prox_after(Keys keys, Out x, Numbers times) const override {
    for_runs_seen(keys, [&](std::size_t first, std::size_t count) {
      h->prox_after(keys.subspan(first, count), x.subspan(first, count),
                    times.subspan(first, count));
    });
  }
  double conjugate(Numbers v) const override { return h->conjugate(v.first(seen)); }
  Vector dual_scales(Numbers v) const override { return h->dual_scales(v.first(seen)); }
  Shared per_block(std::size_t size) const override { return h->per_block(size); }
  std::optional<double> zero_strength(Numbers v) const override {
    return h->zero_strength(v.first(seen));
  }

  // Calls visit(first, count) for the places of keys that h sees, as long runs as there are: one,
  // where keys are in order.
  void for_runs_seen(Keys keys, auto&& visit) const {
    const auto is_seen = [&](Key key) { return key < seen; };
    for (auto start = keys.begin(); start != keys.end();) {
      const auto end = std::find_if_not(start, keys.end(), is_seen);
      if (start != end) visit(start - keys.begin(), end - start);
      start = std::find_if(end, keys.end(), is_seen);
    }
  }

  Shared h;
  std::size_t seen;
};

[[noreturn]] void fail_without(std::string_view regularizer, std::string_view what) {
  throw BugError(fmt::format("internal error: the regulariser {} has no {}", regularizer, what));
}

}  // namespace

void RegularizerInterface::prox_scaled(Out, Numbers) const { fail_without(name(), "prox_scaled"); }

void RegularizerInterface::prox_each(Keys, Out, Numbers) const {
  fail_without(name(), "prox_each");
}

double RegularizerInterface::value_each(Keys, Numbers) const { fail_without(name(), "value_each"); }

double RegularizerInterface::lazy_time(double) const { fail_without(name(), "lazy_time"); }

void RegularizerInterface::prox_after(Keys, Out, Numbers) const {
  fail_without(name(), "prox_after");
}

double RegularizerInterface::conjugate(Numbers) const { fail_without(name(), "conjugate"); }

Vector RegularizerInterface::dual_scales(Numbers) const { fail_without(name(), "conjugate"); }

RegularizerInterface::Shared RegularizerInterface::with_free(Shared h, std::size_t seen) {
  return std::make_shared<const PartlyFree>(std::move(h), seen);
}

AnyRegularizer AnyRegularizer::bound(std::size_t dimension, std::size_t free) const {
  ensure(free <= dimension, "a regulariser with more free coordinates than there are");
  return AnyRegularizer(held().bound(dimension, free));
}

std::optional<double> AnyRegularizer::strength_max(std::span<const double> gradient) const {
  Vector v(gradient.begin(), gradient.end());
  scale(v, -1);
  return held().zero_strength(v);
}

}  // namespace asynprox
