// The model x at the server: read by pulls, changed by steps.
//
//   x_j <- prox_{eta s_j h_j}(x_j - eta s_j v_j)          s: scales, 1 unless h is separable
//
// A step is made in parts, so that a runtime may compute outside its lock: gather() and step()
// change nothing that read() sees, commit() makes the step the current model. One is under way at a
// time.
#pragma once

#include <memory>
#include <span>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/step_direction.h"
#include "asynprox/base/hash.h"
#include "asynprox/base/snapshot.h"
#include "asynprox/regularizers/any_regularizer.h"

namespace asynprox {

class ModelState {
 public:
  virtual ~ModelState() = default;

  // May be called beside anything.
  virtual std::size_t dimension() const = 0;

  // Fills `model` with the values of model.keys. Changes nothing: reading more often gives the same
  // numbers. May run beside compute(), on another thread, but not beside another read().
  virtual void read(Model& model) const = 0;

  // Asks for the memory that a step or a read at these keys will need. May run beside anything.
  virtual void prefetch(const Keys& keys) const = 0;

  // G = (1/N) sum of the values of these pushes, in this order, at the coordinates they touch. The
  // caller may make another direction of it, in place, before step().
  virtual StepDirection gather(std::span<const Push* const> pushes, double batch_size) = 0;
  virtual void step(double eta) = 0;

  // False, and the model is as before, if the step is not finite.
  virtual bool commit() = 0;

  // Takes x instead of the current model. No step is under way.
  virtual void set(const Vector& x) = 0;

  // Adds what the last step wrote.
  virtual void add_last_step(Hash& hash) const = 0;

  // The iterate x_k, all of it: the answer, should the run end here. May be read beside read().
  virtual Vector iterate() const = 0;

  // All that later steps and reads depend on; no step is under way. The fields are read in the order in
  // which they are written, by a state that was made in the same way.
  virtual void save(SnapshotWriter& writer) const = 0;
  virtual void restore(SnapshotReader& reader) = 0;
};

// Each step writes a new immutable version, so a pull costs O(1) and never sees half a step. Any h.
std::unique_ptr<ModelState> make_dense_state(Vector x0, AnyRegularizer h, Vector scales = {});

// For separable h: a step costs what its keys cost, whatever the dimension. The proxes that a
// coordinate missed while no gradient touched it are made up for when it is read.
std::unique_ptr<ModelState> make_lazy_state(const Vector& x0, AnyRegularizer h);

// The same, where a coordinate that a step does not touch misses nothing: where it is touched, h
// counts weights_j times instead.
std::unique_ptr<ModelState> make_support_state(const Vector& x0, AnyRegularizer h,
                                               std::shared_ptr<const Vector> weights,
                                               Vector scales = {});

// What a model at the server is made of.
struct StateSetup {
  Vector x0;
  AnyRegularizer h;
  bool lazy = false;
  Vector scales = {};                                  // s; empty: 1
  std::shared_ptr<const Vector> support_weights = {};  // of a lazy model that updates only
                                                       // coordinates touched by a step
};

// One of the above, as the setup says.
std::unique_ptr<ModelState> make_state(StateSetup setup);

}  // namespace asynprox
