#include "asynprox/data/generators/ratings.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/family.h"
#include "asynprox/base/random.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kPairs, kUsers, kItems, kNoise };

constexpr double kMean = 3;

// The numbers 0 to size - 1 in another order, each found without the others: four Feistel rounds on
// as few bits as will do, over again until the result is below `size`.
class Shuffled {
 public:
  Shuffled(std::uint64_t size, const Random& random) : size_(size), random_(random) {
    half_bits_ = (static_cast<unsigned>(std::bit_width(size - 1)) + 1) / 2;
  }

  std::uint64_t at(std::uint64_t number) const {
    do number = permuted(number);
    while (number >= size_);
    return number;
  }

 private:
  std::uint64_t permuted(std::uint64_t number) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = number >> half_bits_, right = number & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (random_.stream(round).at(right) & mask);
      left = right;
      right = next;
    }
    return left << half_bits_ | right;
  }

  std::uint64_t size_;
  Random random_;
  unsigned half_bits_;
};

struct RatingsRows {
  std::uint64_t num_users, num_items, rank;
  double noise;
  Random random;
  Shuffled pairs;

  double planted(std::uint64_t user, std::uint64_t item) const {
    const Random p = random.stream(kUsers), q = random.stream(kItems);
    double sum = 0;
    for (std::uint64_t k = 0; k < rank; ++k)
      sum += normal_like(p.at(user * rank + k)) * normal_like(q.at(item * rank + k));
    return kMean + sum / std::sqrt(static_cast<double>(rank));
  }

  void append(std::uint64_t first, std::uint64_t last, LabelledRows& samples) const {
    CsrMatrix& matrix = samples.matrix;
    for (std::uint64_t row = first; row < last; ++row) {
      const std::uint64_t pair = pairs.at(row);
      const std::uint64_t user = pair / num_items, item = pair % num_items;
      matrix.columns.push_back(static_cast<Key>(user));
      matrix.columns.push_back(static_cast<Key>(num_users + item));
      matrix.values.insert(matrix.values.end(), 2, 1);
      matrix.offsets.push_back(matrix.columns.size());
      samples.labels.push_back(planted(user, item) +
                               noise * normal_like(random.stream(kNoise).at(pair)));
    }
  }
};

RatingsRows ratings_rows(const RatingsGenerator& generator) {
  check_parameters(generator);
  const std::uint64_t users = checked(generator.users), items = checked(generator.items);
  if (static_cast<double>(users + items) > kDimensionMax)
    throw ContractError(fmt::format("ratings: expected at most {:.0f} users and items, got {}",
                                    kDimensionMax, users + items));
  const Random random(checked(generator.seed));
  return {users,           items,  checked(generator.rank),
          generator.noise, random, Shuffled(users * items, random.stream(kPairs))};
}

}  // namespace

Vector RatingsGenerator::planted() const {
  const RatingsRows rows = ratings_rows(*this);
  Vector matrix;
  for (std::uint64_t user = 0; user < rows.num_users; ++user)
    for (std::uint64_t item = 0; item < rows.num_items; ++item)
      matrix.push_back(rows.planted(user, item));
  return matrix;
}

GeneratedRows RatingsGenerator::rows() const {
  const RatingsRows rows = ratings_rows(*this);
  const std::uint64_t num_ratings = checked(n);
  if (num_ratings > rows.num_users * rows.num_items)
    throw ContractError(
        fmt::format("ratings: n: expected at most users times items, which is {}, got {}",
                    rows.num_users * rows.num_items, num_ratings));
  return {.num_rows = num_ratings,
          .num_columns = rows.num_users + rows.num_items,
          .append = [rows](auto first, auto last,
                           LabelledRows& samples) { rows.append(first, last, samples); },
          .count_nonzeros = [](auto first, auto last) { return 2 * (last - first); },
          .ratings = RatingsShape{rows.num_users, rows.num_items}};
}

}  // namespace asynprox
