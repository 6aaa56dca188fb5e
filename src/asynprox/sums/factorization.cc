#include "asynprox/sums/factorization.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/readers/ratings.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/sums/sample_weights.h"

namespace asynprox {
namespace {

constexpr std::size_t kPiece = 512;
using Scratch = std::array<double, kPiece>;

// |U_u|^2 at the start, as a share of what the ratings' spread asks for.
constexpr double kStartShare = 0.1;

template <class Work>
void for_each_piece(Samples samples, Work work) {
  for (std::size_t start = 0; start < samples.size(); start += kPiece)
    work(samples.subspan(start, std::min(kPiece, samples.size() - start)), start);
}

}  // namespace

Vector FactorScores::scores(const Rows& rows, std::span<const double> x) const {
  require(x.size() == dimension(),
          fmt::format("factors: expected {} numbers, got {}", dimension(), x.size()));
  Vector scores(rows.num_rows(), offset);
  walk_rows(rows, [&](std::size_t i, std::span<const RowEntry> entries) {
    const double* factors[2] = {};
    for (const RowEntry& entry : entries) {
      if (entry.column >= shape.num_users + shape.num_items) continue;
      const double* const feature = x.data() + entry.column * (rank + 1);
      scores[i] += feature[0];
      factors[entry.column < shape.num_users ? 0 : 1] = feature + 1;
    }
    if (factors[0] && factors[1]) scores[i] += dot({factors[0], rank}, {factors[1], rank});
  });
  return scores;
}

Factorization::Factorization(const Dataset& ratings, AnyLoss loss, std::size_t rank)
    : loss_(std::move(loss)), labels_(ratings.labels), weights_(mean_one(ratings)) {
  require(ratings.ratings.has_value(),
          ratings.name + ": expected ratings (user, item, rating), got other data");
  require(!loss_.several_outputs() && loss_.curvature(),
          fmt::format("a factor model takes a loss of one number with a bounded curvature, got {}",
                      loss_.name()));
  model_ = {.shape = *ratings.ratings, .rank = rank};
  require(model_.dimension() < std::numeric_limits<Key>::max(),
          fmt::format("{}: {} users and items with {} numbers each are too many", ratings.name,
                      ratings.dimension(), rank + 1));
  require(labels_.size() == ratings.num_samples() && !labels_.empty(),
          ratings.name + ": expected a rating a row");
  const auto width = static_cast<Key>(rank + 1);
  pairs_.reserve(labels_.size());
  const auto num_users = static_cast<Key>(model_.shape.num_users);
  for_each_rating(ratings, [&](std::size_t, Key user, Key item) {
    pairs_.push_back({user * width, (num_users + item) * width});
  });
  model_.offset = best_constant();
  double squares = 0;
  for (SampleIndex i = 0; i < labels_.size(); ++i)
    squares += weight(i) * (labels_[i] - model_.offset) * (labels_[i] - model_.offset);
  spread_ = std::sqrt(squares / static_cast<double>(labels_.size()));
}

double Factorization::best_constant() const {
  double total = 0;
  for (SampleIndex i = 0; i < labels_.size(); ++i) total += weight(i) * labels_[i];
  const double mean = total / static_cast<double>(labels_.size());
  if (!loss_.convex()) return mean;
  Vector u(labels_.size()), derivatives(labels_.size());
  const auto slope = [&](double b) {
    std::ranges::fill(u, b);
    loss_.derivatives(u, labels_, derivatives);
    double sum = 0;
    for (SampleIndex i = 0; i < labels_.size(); ++i) sum += weight(i) * derivatives[i];
    return sum;
  };
  // The slope rises with b: a bracket around its zero, then halves of it.
  double reach = 1, below = mean, above = mean;
  for (; slope(below) > 0 && reach < 1e9; reach *= 2) below -= reach;
  for (reach = 1; slope(above) < 0 && reach < 1e9; reach *= 2) above += reach;
  while (true) {
    const double middle = below + (above - below) / 2;
    if (middle <= below || middle >= above) return middle;
    (slope(middle) > 0 ? above : below) = middle;
  }
}

double Factorization::score(std::span<const double> x, Pair pair) const {
  const double* const user = x.data() + pair.user;
  const double* const item = x.data() + pair.item;
  double sum = model_.offset + user[0] + item[0];
  for (std::size_t k = 1; k <= model_.rank; ++k) sum += user[k] * item[k];
  return sum;
}

void Factorization::scores(std::span<const double> x, Samples samples, std::span<double> u) const {
  for (std::size_t i = 0; i < samples.size(); ++i) u[i] = score(x, pairs_[samples[i]]);
}

void Factorization::scatter(std::span<const double> x, Samples samples, std::span<const double> c,
                            std::span<double> g) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Pair pair = pairs_[samples[i]];
    const double* const user = x.data() + pair.user;
    const double* const item = x.data() + pair.item;
    double* const g_user = g.data() + pair.user;
    double* const g_item = g.data() + pair.item;
    g_user[0] += c[i];
    g_item[0] += c[i];
    for (std::size_t k = 1; k <= model_.rank; ++k) {
      g_user[k] += c[i] * item[k];
      g_item[k] += c[i] * user[k];
    }
  }
}

double Factorization::value(std::span<const double> x, Samples samples) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch u, y, values;
    const std::size_t size = piece.size();
    scores(x, piece, {u.data(), size});
    for (std::size_t i = 0; i < size; ++i) y[i] = labels_[piece[i]];
    loss_.values({u.data(), size}, {y.data(), size}, {values.data(), size});
    for (std::size_t i = 0; i < size; ++i) total += weight(piece[i]) * values[i];
  });
  return total;
}

void Factorization::add_gradient(std::span<const double> x, Samples samples,
                                 std::span<const double> weights, std::span<double> g) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch u, y, c;
    const std::size_t size = piece.size();
    scores(x, piece, {u.data(), size});
    for (std::size_t i = 0; i < size; ++i) y[i] = labels_[piece[i]];
    loss_.derivatives({u.data(), size}, {y.data(), size}, {c.data(), size});
    for (std::size_t i = 0; i < size; ++i)
      c[i] *= weight(piece[i]) * (weights.empty() ? 1 : weights[start + i]);
    scatter(x, piece, {c.data(), size}, g);
  });
}

double Factorization::value_and_gradient(std::span<const double> x, Samples samples,
                                         std::span<double> g) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    total += value(x, piece);
    add_gradient(x, piece, {}, g);
  });
  return total;
}

void Factorization::add_keys(Samples samples, KeySet& keys) const {
  const std::size_t width = model_.rank + 1;
  std::vector<Key> touched(2 * width * samples.size());
  std::vector<std::uint32_t> places(touched.size());
  Key* next = touched.data();
  for (const SampleIndex i : samples)
    for (const Key first : {pairs_[i].user, pairs_[i].item}) {
      std::iota(next, next + width, first);
      next += width;
    }
  keys.add(std::span<const Key>(touched), places.data());
}

Vector Factorization::start(std::uint64_t seed) const {
  const Random random = Random(seed).stream(0x464143544f5253);
  const std::size_t width = model_.rank + 1;
  Vector x(dimension(), 0);
  // A number that is uniform in [-1, 1) has the mean square 1/3.
  const double scale = std::sqrt(3 * kStartShare * std::max(spread_, 1e-3) /
                                 std::max(1.0, static_cast<double>(model_.rank)));
  for (std::size_t j = 0; j < x.size(); ++j)
    if (j % width != 0) x[j] = scale * (2 * random.uniform_at(j) - 1);
  return x;
}

Vector Factorization::sample_lipschitz() const {
  Vector lipschitz(num_samples());
  for (SampleIndex i = 0; i < lipschitz.size(); ++i)
    lipschitz[i] = 2 * curvature_scale() * weight(i);
  return lipschitz;
}

void Factorization::add_curvature(std::span<const double> v, Samples samples,
                                  std::span<double> out) const {
  const double scale = curvature_scale();
  for (const SampleIndex i : samples) {
    const Pair pair = pairs_[i];
    const double product = scale * weight(i) * (v[pair.user] + v[pair.item]);
    out[pair.user] += product;
    out[pair.item] += product;
  }
}

}  // namespace asynprox
