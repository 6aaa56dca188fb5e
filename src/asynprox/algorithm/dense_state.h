// The dense proximal step, and a dense model made of immutable versions.
#pragma once

#include <memory>
#include <vector>

#include "asynprox/algorithm/model_state.h"

namespace asynprox {

// G = (1/N) sum of the values of the pushes; G has the size of the model and is overwritten.
void sum_pushes(std::span<const Push* const> pushes, double batch_size, Vector& G);

// The proximal step of all coordinates, each with its scale.
class ProxStep {
 public:
  // Scales other than 1 (none given) need a separable h.
  ProxStep(AnyRegularizer h, Vector scales);

  // v <- prox_{eta s h}(x - eta s v), in place.
  void apply(const Vector& x, double eta, Vector& v);

 private:
  AnyRegularizer h_;
  Vector scales_, etas_;
  std::vector<Key> keys_;  // all of them, if there are scales
};

// What a reader of an immutable version gets: the version itself, or those of its coordinates that
// model.keys lists.
void read_version(const std::shared_ptr<const Vector>& version, Model& model);

// Throws DataError, if a model that was restored is not of this dimension.
void require_size(const Vector& x, std::size_t dimension);

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
