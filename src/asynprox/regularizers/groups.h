// Disjoint groups of coordinates, as group-lasso and its relatives take them: a file with each
// coordinate's group, or the size of groups of coordinates in order.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/parameters.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {

// The coordinates of group g are members[starts[g]], ..., members[starts[g + 1] - 1].
struct GroupIndex {
  std::vector<Key> members = {};
  std::vector<std::size_t> starts = {};
};

// Exactly one of `groups` (a whole number a coordinate) and `size` (of groups in order, of which
// the last may be smaller) must be given; throws ContractError, naming `member`, where that or
// their number is not so.
GroupIndex make_groups(std::string_view member, const NumbersFile& groups, std::int64_t size,
                       std::size_t dimension);

// Calls visit(members of g, |x_g|, sqrt(|g|)) for each group.
void for_each_group(const GroupIndex& index, std::span<const double> x, auto&& visit) {
  ensure(index.members.size() == x.size(), "groups: used before bind, or with another size");
  for (std::size_t g = 0; g + 1 < index.starts.size(); ++g) {
    const auto members =
        std::span(index.members).subspan(index.starts[g], index.starts[g + 1] - index.starts[g]);
    const double norm = stable_norm(members.size(), [&](std::size_t i) { return x[members[i]]; });
    visit(members, norm, std::sqrt(static_cast<double>(members.size())));
  }
}

// In place: the prox of lambda sum_g sqrt(|g|) |x_g| in a diagonal metric (scaled_norm.h).
void shrink_groups_scaled(const GroupIndex& index, std::span<double> v,
                          std::span<const double> etas, double lambda);

}  // namespace asynprox
