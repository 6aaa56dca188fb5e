// The taut string of total variation. v's graph is that of its running sums, coordinate j as wide
// as its weight; lowered and raised by a threshold it makes a tube, in which a string is pulled
// tight from the middle of one end to the middle of the other. Its slopes minimise
//
//   sum_j w_j (x_j - v_j)^2 / 2 + threshold sum_j |x_{j+1} - x_j|
//
// Davies and Kovac (2001), Local extremes, runs, strings and multiresolution.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace asynprox {

// From where the string is fixed to the newest coordinate: the tightest curve above the lower graph
// (slopes fall from piece to piece), or below the upper one (slopes rise). `bend` is -1 or 1: such
// slopes times `bend` rise. A Piece is straight; it has a `length` in coordinates, a slope(), and
// join(before), which adds the piece before it.
template <class Piece>
class Hull {
 public:
  Hull(double bend, std::size_t dimension) : bend_(bend) { pieces_.reserve(dimension); }

  void add(Piece piece) {
    for (; size() > 0 && bend_ * pieces_.back().slope() >= bend_ * piece.slope();
         pieces_.pop_back())
      piece.join(pieces_.back());
    pieces_.push_back(piece);
  }

  Piece take_first() { return pieces_[first_++]; }
  Piece& first() { return pieces_[first_]; }
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

// In place, for two coordinates or more: each coordinate of v is read before the string's slope is
// written there.
//   make(j, sides)             the piece of coordinate j that rises by `sides` thresholds more
//   cut(piece, fixed, start)   drops `fixed` from the beginning of a piece, which is now at
//                              coordinate `start`
template <class Make, class Cut>
void pull_tight(std::span<double> v, const Make& make, const Cut& cut) {
  using Piece = decltype(make(0, 0));
  Hull<Piece> lower(-1, v.size()), upper(1, v.size());
  std::size_t written = 0;
  const auto write = [&](const Piece& piece) {
    std::fill_n(v.begin() + written, piece.length, piece.slope());
    written += piece.length;
  };
  for (std::size_t j = 0; j < v.size(); ++j) {
    // The string starts and ends in the middle of the tube.
    const int opening = (j == 0 ? 1 : 0) - (j + 1 == v.size() ? 1 : 0);
    const Piece below = make(j, -opening), above = make(j, opening);
    lower.add(below);
    upper.add(above);
    for (auto [hull, other] : {std::pair(&lower, &upper), std::pair(&upper, &lower)})
      while (hull->crosses(*other)) {
        cut(other->first(), hull->first(), written + hull->first().length);
        write(hull->take_first());
      }
  }
  while (upper.size() > 0) write(upper.take_first());
}

}  // namespace asynprox
