#include "asynprox/refinements/quadratic_model.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "asynprox/linalg/cholesky.h"
#include "asynprox/linalg/picked_rows.h"

namespace asynprox {
namespace {

constexpr int kRoundsMax = 100;
constexpr int kSweepsMax = 30;  // of a round: a sweep costs far less than a move together
constexpr int kHalvingsMax = 8;
constexpr double kSide = 1e-5;                  // how far from v prox is tried, relative
constexpr double kValueSide = 1e-6;             // how far from a point values are taken, of a move
constexpr double kOtherPiece = 1e-4;            // of h's slope: a change of more is a kink
constexpr double kRounding = 1e-8;              // of the slopes that a move makes
constexpr double kBesideKink = 3 * kValueSide;  // there values tell which side it is, of a move
constexpr double kDecrease = 1e-15;             // of the model: less is no descent

Eigen::VectorXd gathered(const Vector& v, std::span<const Key> keys) {
  Eigen::VectorXd at(static_cast<Eigen::Index>(keys.size()));
  for (Eigen::Index i = 0; i < at.size(); ++i) at[i] = v[keys[static_cast<std::size_t>(i)]];
  return at;
}

class Descent {
 public:
  explicit Descent(const QuadraticModel& model)
      : h_(model.h),
        keys_(model.keys),
        x_(gathered(model.x, keys_)),
        gradient_(gathered(model.gradient, keys_)),
        hessian_(model.hessian.entries.data(), x_.size(), x_.size()),
        rows_(keys_.size()),
        h_at_x_(h_.value_each(keys_, {x_.data(), keys_.size()})),
        z_(x_),
        slope_(gradient_),
        pull_(Eigen::VectorXd::Zero(x_.size())),
        bend_(pull_),
        smooth_(keys_.size()) {
    std::iota(rows_.begin(), rows_.end(), Key{0});
  }

  void run(const QuadraticEffort& effort);
  QuadraticMinimum minimum() const {
    const Eigen::VectorXd d = z_ - x_;
    return {Vector(z_.begin(), z_.end()), value_, 0.5 * d.dot(times_hessian(d)), found_};
  }

 private:
  // h near a point: is it smooth there, and how curved?
  struct Piece {
    bool smooth;
    double bend;
  };

  struct Move {
    Eigen::VectorXd to;
    double value = 0;  // m there
  };

  double sweep();  // how far, in the metric of H's diagonal
  // Those on smooth pieces of h. True: something came to a kink, so the others can go further.
  bool move_together();
  Move best_move(const Eigen::VectorXd& p, const Eigen::VectorXd& ends) const;
  std::optional<Eigen::VectorXd> direction();
  void for_smooth(auto visit) const {
    for (Eigen::Index i = 0; i < z_.size(); ++i)
      if (smooth_[static_cast<std::size_t>(i)]) visit(i);
  }
  Piece piece(Eigen::Index i, double v) const;
  double slope_of_h(Eigen::Index i, double at, double side) const;
  // Is h still on the same piece, once the coordinate has moved by p?
  bool on_piece(Eigen::Index i, double p) const;
  bool kink_at_zero(Eigen::Index i) const;
  // Where it ends: there, or at a kink before.
  double end_of_move(Eigen::Index i, double p) const;
  double prox(Eigen::Index i, double v, double eta) const;
  Eigen::VectorXd times_hessian(const Eigen::VectorXd& d) const;
  double value_at(const Eigen::VectorXd& z) const;
  void go_to(const Eigen::VectorXd& z);

  const AnyRegularizer& h_;
  std::span<const Key> keys_;
  Eigen::VectorXd x_, gradient_;
  Eigen::Map<const Eigen::MatrixXd> hessian_;
  std::vector<Key> rows_;  // of H, by their numbers: all
  double h_at_x_;

  Eigen::VectorXd z_, slope_;  // of the quadratic, there
  Eigen::VectorXd pull_;       // h'(z_i), of those on a smooth piece
  Eigen::VectorXd bend_;       // h''(z_i)
  std::vector<bool> smooth_;
  double value_ = 0, work_ = 0;
  bool found_ = false;
};

double Descent::prox(Eigen::Index i, double v, double eta) const {
  h_.prox_each(keys_.subspan(static_cast<std::size_t>(i), 1), {&v, 1}, {&eta, 1});
  return v;
}

// By its rows, which are its columns.
Eigen::VectorXd Descent::times_hessian(const Eigen::VectorXd& d) const {
  Eigen::VectorXd product = Eigen::VectorXd::Zero(d.size());
  add_combination({rows_, {d.data(), rows_.size()}}, hessian_.data(), rows_.size(),
                  {product.data(), rows_.size()});
  return product;
}

double Descent::value_at(const Eigen::VectorXd& z) const {
  const Eigen::VectorXd d = z - x_;
  return gradient_.dot(d) + 0.5 * d.dot(times_hessian(d)) +
         h_.value_each(keys_, {z.data(), keys_.size()}) - h_at_x_;
}

void Descent::go_to(const Eigen::VectorXd& z) {
  z_ = z;
  slope_ = gradient_ + times_hessian(z_ - x_);
}

// By how prox answers to v: its slope is 1 / (1 + eta h''), and 0 or none at a kink.
Descent::Piece Descent::piece(Eigen::Index i, double v) const {
  const double eta = 1 / hessian_(i, i), side = kSide * std::max(std::abs(v), 1e-300);
  const double here = prox(i, v, eta);
  const double above = (prox(i, v + side, eta) - here) / side;
  const double below = (here - prox(i, v - side, eta)) / side;
  if (!(std::min(above, below) > 1e-3 && std::abs(above - below) < 1e-3 * above))
    return {.smooth = false, .bend = 0};
  return {.smooth = true, .bend = std::max(0.0, 2 / (above + below) - 1) / eta};
}

double Descent::sweep() {
  double moved = 0;
  for (Eigen::Index i = 0; i < z_.size(); ++i) {
    const double eta = 1 / hessian_(i, i), v = z_[i] - eta * slope_[i];
    const double after = prox(i, v, eta), change = after - z_[i];
    pull_[i] = (v - after) / eta;
    const Piece here = piece(i, v);
    smooth_[static_cast<std::size_t>(i)] = here.smooth;
    bend_[i] = here.bend;
    if (change == 0) continue;
    z_[i] = after;
    slope_ += change * hessian_.col(i);
    moved = std::max(moved, std::abs(change) * std::sqrt(hessian_(i, i)));
  }
  work_ += static_cast<double>(z_.size() * z_.size());
  return moved;
}

double Descent::slope_of_h(Eigen::Index i, double at, double side) const {
  const auto value = [&](double y) {
    return h_.value_each(keys_.subspan(static_cast<std::size_t>(i), 1), {&y, 1});
  };
  return (value(at + side) - value(at - side)) / (2 * side);
}

// Then h's slope there is pull + bend p.
bool Descent::on_piece(Eigen::Index i, double p) const {
  const double side = kValueSide * std::max(std::abs(p), std::abs(z_[i]));
  const double expected = pull_[i] + bend_[i] * p;
  const double rounding = kRounding * std::abs(p) * hessian_(i, i);
  return std::abs(slope_of_h(i, z_[i] + p, side) - expected) <=
         kOtherPiece * (std::abs(pull_[i]) + std::abs(expected)) + rounding;
}

// Seen from h alone: beside a long move, on_piece() takes the change of slope there for rounding.
bool Descent::kink_at_zero(Eigen::Index i) const {
  const double away = kBesideKink * std::abs(z_[i]), side = kValueSide * std::abs(z_[i]);
  const double above = slope_of_h(i, away, side), below = slope_of_h(i, -away, side);
  const double size = std::abs(above) + std::abs(below) + std::abs(pull_[i]);
  return !(std::abs(above - below) <= kOtherPiece * size);
}

// The kink is where it leaves its piece, and where prox rests that is pulled to either side.
double Descent::end_of_move(Eigen::Index i, double p) const {
  if (p == 0) return z_[i];
  const double zero = -z_[i] / p;
  // Most kinks are at 0.
  if (zero > 0 && zero < 1 && kink_at_zero(i) &&
      (zero <= kBesideKink || on_piece(i, (zero - kBesideKink) * p)))
    return 0;
  if (on_piece(i, p)) return z_[i] + p;
  double inside = 0, beyond = 1;
  const auto look = [&](double share) { (on_piece(i, share * p) ? inside : beyond) = share; };
  while (beyond - inside > 2 * kBesideKink) look(0.5 * (inside + beyond));
  const double side = kValueSide * std::abs(p);
  const double before = slope_of_h(i, z_[i] + inside * p - std::copysign(2 * side, p), side);
  const double after = slope_of_h(i, z_[i] + beyond * p + std::copysign(2 * side, p), side);
  const double pull = std::isfinite(after) ? 0.5 * (before + after) : pull_[i];
  const double eta = 1 / hessian_(i, i);
  return prox(i, z_[i] + beyond * p + eta * pull, eta);
}

// To where the slope vanishes; zero at coordinates that rest.
std::optional<Eigen::VectorXd> Descent::direction() {
  std::vector<Eigen::Index> free;
  for_smooth([&](Eigen::Index i) { free.push_back(i); });
  if (free.empty()) return std::nullopt;
  const std::size_t size = free.size();
  Vector matrix(size * size), moves(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto column = hessian_.col(free[i]);
    for (std::size_t j = i; j < size; ++j) matrix[i * size + j] = column[free[j]];
    matrix[i * size + i] += bend_[free[i]];
    moves[i] = -(slope_[free[i]] + pull_[free[i]]);
  }
  const auto n = static_cast<double>(size);
  work_ += n * n * n / 3 + 3 * static_cast<double>(z_.size() * z_.size());
  const std::optional<Cholesky> factors = Cholesky::of(std::move(matrix), size);
  if (!factors) return std::nullopt;
  factors->solve(moves);
  Eigen::VectorXd p = Eigen::VectorXd::Zero(z_.size());
  for (std::size_t i = 0; i < size; ++i) p[free[i]] = moves[i];
  if (!p.allFinite()) return std::nullopt;
  return p;
}

// Along p, where whatever comes to a kink stays there: as far as is best.
Descent::Move Descent::best_move(const Eigen::VectorXd& p, const Eigen::VectorXd& ends) const {
  const Eigen::VectorXd along = z_ + p;
  const auto moved = [&](double t) {
    Eigen::VectorXd z = z_ + t * p;
    for_smooth([&](Eigen::Index i) {
      if (ends[i] != along[i] && std::abs(ends[i] - z_[i]) <= std::abs(z[i] - z_[i]))
        z[i] = ends[i];
    });
    return Move{.to = z, .value = value_at(z)};
  };
  double first_kink = 1;
  for_smooth([&](Eigen::Index i) {
    if (ends[i] != along[i])
      first_kink = std::min(first_kink, std::clamp((ends[i] - z_[i]) / p[i], 0.0, 1.0));
  });
  Move best = moved(1);
  double t = 0.5;
  for (int halvings = 0; halvings < kHalvingsMax && t > first_kink; ++halvings, t /= 2) {
    Move shorter = moved(t);
    if (best.value < value_ && !(shorter.value < best.value)) break;
    if (shorter.value < best.value) best = std::move(shorter);
  }
  if (first_kink == 1 || best.value < value_) return best;
  const Move shortest = moved(first_kink);
  return shortest.value < best.value ? shortest : best;
}

bool Descent::move_together() {
  const std::optional<Eigen::VectorXd> p = direction();
  if (!p) return false;
  Eigen::VectorXd ends = z_;
  for_smooth([&](Eigen::Index i) { ends[i] = end_of_move(i, (*p)[i]); });
  const Move move = best_move(*p, ends);
  if (!(move.value < value_ - kDecrease * std::abs(value_))) return false;
  bool at_kinks = false;
  for_smooth([&](Eigen::Index i) {
    const bool at_kink = ends[i] != z_[i] + (*p)[i] && move.to[i] == ends[i];
    at_kinks |= at_kink;
    smooth_[static_cast<std::size_t>(i)] = !at_kink;
    pull_[i] += bend_[i] * (move.to[i] - z_[i]);
  });
  go_to(move.to);
  value_ = move.value;
  return at_kinks;
}

void Descent::run(const QuadraticEffort& effort) {
  double most = 0;
  for (int round = 0; round < kRoundsMax && work_ < effort.work_max; ++round) {
    const double moved = sweep();
    most = std::max(most, moved);
    found_ = moved <= effort.moves_little * most;
    if (found_) break;
    // Until it is the same coordinates that rest.
    for (int sweeps = 1; sweeps < kSweepsMax; ++sweeps) {
      const std::vector<bool> before = smooth_;
      most = std::max(most, sweep());
      if (smooth_ == before) break;
    }
    value_ = value_at(z_);
    while (work_ < effort.work_max && move_together()) {
    }
  }
  value_ = value_at(z_);
}

}  // namespace

QuadraticMinimum minimize(const QuadraticModel& model, const QuadraticEffort& effort) {
  Descent descent(model);
  descent.run(effort);
  return descent.minimum();
}

}  // namespace asynprox
