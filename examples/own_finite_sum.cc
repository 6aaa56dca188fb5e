// A finite sum of one's own: where in a room is the sender, by noisy distances to posts?
//
//   F(x; i) = (|x - p_i| - r_i)^2 / 2      post p_i heard the sender at the distance r_i
//
// It is no function of one dot product, and not convex. h keeps x inside the room.
#include <asynprox/finite_sum.h>
#include <asynprox/random.h>
#include <asynprox/solve.h>

#include <cmath>
#include <cstdio>

namespace {

using asynprox::Samples;

struct Post {
  double left = 0, up = 0;  // p_i
  double distance = 0;      // r_i
};

class Distances {
 public:
  explicit Distances(std::vector<Post> posts) : posts_(std::move(posts)) {}

  std::size_t dimension() const { return 2; }
  std::size_t num_samples() const { return posts_.size(); }

  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const auto i : samples) {
      const Post& p = posts_[i];
      const double r = std::hypot(x[0] - p.left, x[1] - p.up) - p.distance;
      sum += r * r / 2;
    }
    return sum;
  }

  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const Post& p = posts_[samples[k]];
      const double away = std::hypot(x[0] - p.left, x[1] - p.up);
      if (away == 0) continue;
      const double c = (weights.empty() ? 1 : weights[k]) * (away - p.distance) / away;
      g[0] += c * (x[0] - p.left);
      g[1] += c * (x[1] - p.up);
    }
  }

 private:
  std::vector<Post> posts_;
};
static_assert(asynprox::FiniteSum<Distances>);

// The sender is at (3, 7) in a room of 10 by 10.
std::vector<Post> heard() {
  const asynprox::Random random(1);
  std::uint64_t draw = 0;
  std::vector<Post> posts(1000);
  for (Post& post : posts) {
    post.left = 10 * random.uniform_at(draw++);
    post.up = 10 * random.uniform_at(draw++);
    const double noise = random.uniform_at(draw++) - 0.5;
    post.distance = std::hypot(post.left - 3, post.up - 7) + noise;
  }
  return posts;
}

}  // namespace

int main() {
  // These distances know no Lipschitz constant: it is estimated, and steps and batches follow.
  const asynprox::Options options = {
      .workers = 2, .stop = {.epochs = 20}, .x0 = asynprox::Vector{5, 5}};
  const asynprox::Result result =
      asynprox::solve(Distances(heard()), asynprox::Box{.lower = 0, .upper = 10}, options);
  std::printf("the sender is at (%.2f, %.2f); the truth is (3, 7)\n", result.x[0], result.x[1]);
  return std::hypot(result.x[0] - 3, result.x[1] - 7) < 0.2 ? 0 : 1;
}
