// The dense proximal step, and a dense model made of immutable versions.
#pragma once

#include <memory>
#include <vector>

#include "asynprox/algorithm/model_state.h"

namespace asynprox {

// next <- prox_{eta h}(x - eta G). `next` has the size of x and is overwritten.
void prox_step(const Vector& x, const StepInput& step, const AnyRegularizer& h, Vector& next);

// What a reader of an immutable version gets: the version itself, or those of its coordinates that
// model.keys lists.
void read_version(const std::shared_ptr<const Vector>& version, Model& model);

// Vectors that are handed out as immutable versions, and used again once nobody holds them. Whoever
// asks for one does so where versions are handed out and given back: under the same lock.
class VersionPool {
 public:
  // A vector of this size that nobody else holds, contents unspecified.
  std::shared_ptr<Vector> writable(std::size_t size);

 private:
  std::vector<std::shared_ptr<Vector>> versions_;
};

}  // namespace asynprox
