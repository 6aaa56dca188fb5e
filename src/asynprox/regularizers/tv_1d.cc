#include "asynprox/regularizers/tv_1d.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "asynprox/regularizers/sums.h"

namespace asynprox {
namespace {

// A straight piece: over `length` coordinates it rises by `rise`.
struct Piece {
  double rise = 0;
  std::size_t length = 0;
  double slope() const { return rise / static_cast<double>(length); }
};

// From where the string is fixed to the newest coordinate: the tightest curve above the lower graph
// (slopes fall from piece to piece), or below the upper one (slopes rise). `bend` is -1 or 1: such
// slopes times `bend` rise.
class Hull {
 public:
  Hull(double bend, std::size_t dimension) : bend_(bend) { pieces_.reserve(dimension); }

  void add(double rise) {
    Piece piece{rise, 1};
    for (; size() > 0 && bend_ * pieces_.back().slope() >= bend_ * piece.slope();
         pieces_.pop_back()) {
      piece.rise += pieces_.back().rise;
      piece.length += pieces_.back().length;
    }
    pieces_.push_back(piece);
  }

  // The string is fixed at a later place, behind `fixed`: for a hull of one piece, which starts
  // there now.
  void start_behind(const Piece& fixed) {
    pieces_.back().rise -= fixed.rise;
    pieces_.back().length -= fixed.length;
  }

  Piece take_first() { return pieces_[first_++]; }
  const Piece& first() const { return pieces_[first_]; }
  std::size_t size() const { return pieces_.size() - first_; }

  // Whether this hull's way out crosses `other`, which is one piece: the string follows this one.
  bool crosses(const Hull& other) const {
    return size() > 1 && other.size() == 1 &&
           bend_ * first().slope() < bend_ * other.first().slope();
  }

 private:
  double bend_;
  std::vector<Piece> pieces_;
  std::size_t first_ = 0;
};

// In place: each coordinate of v is read before the string's slope is written there.
void pull_tight(std::span<double> v, double threshold) {
  Hull lower(-1, v.size()), upper(1, v.size());
  std::size_t written = 0;
  const auto write = [&](const Piece& piece) {
    std::fill_n(v.begin() + written, piece.length, piece.slope());
    written += piece.length;
  };
  for (std::size_t j = 0; j < v.size(); ++j) {
    // The string starts and ends in the middle of the tube.
    const double opening = (j == 0 ? threshold : 0) - (j + 1 == v.size() ? threshold : 0);
    const double rise = v[j];
    lower.add(rise - opening);
    upper.add(rise + opening);
    for (auto [hull, other] : {std::pair(&lower, &upper), std::pair(&upper, &lower)})
      while (hull->crosses(*other)) {
        other->start_behind(hull->first());
        write(hull->take_first());
      }
  }
  while (upper.size() > 0) write(upper.take_first());
}

}  // namespace

void Tv1d::prox(std::span<double> v, double eta) const {
  const double threshold = eta * lambda;
  if (threshold == 0 || v.size() < 2) return;
  const auto [least, largest] = std::ranges::minmax_element(v);
  const auto count = static_cast<double>(v.size());
  // So wide a tube holds the straight string; wider ones would only round.
  if (threshold >= 0.5 * count * (*largest - *least)) {
    std::ranges::fill(v, pairwise_sum(0, v.size(), [&](std::size_t j) { return v[j] / count; }));
  } else {
    pull_tight(v, threshold);
  }
}

}  // namespace asynprox
