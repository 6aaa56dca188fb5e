// The model x at the server: read by pulls, changed by steps.
//
//   x <- prox_{eta h}(x - eta G),   G = (1/N) sum_j G_j
//
// A step has two phases, so that a runtime may compute outside its lock: compute() changes nothing
// that read() sees, commit() makes the step the current model. One step is under way at a time.
#pragma once

#include <memory>
#include <span>

#include "asynprox/algorithm/messages.h"
#include "asynprox/base/hash.h"
#include "asynprox/regularizers/any_regularizer.h"

namespace asynprox {

// What a step applies. The pushes are summed in the order given.
struct StepInput {
  std::span<const Push* const> pushes;
  double batch_size = 1;  // N
  double eta = 0;
};

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

  virtual void compute(const StepInput& step) = 0;

  // False, and the model is as before, if the step is not finite.
  virtual bool commit() = 0;

  // Adds what the last step wrote.
  virtual void add_last_step(Hash& hash) const = 0;

  // The iterate x_k, all of it: the answer, should the run end here. May be read beside read().
  virtual Vector iterate() const = 0;
};

// Each step writes a new immutable version, so a pull costs O(1) and never sees half a step. Any h.
std::unique_ptr<ModelState> make_dense_state(Vector x0, AnyRegularizer h);

// For separable h: a step costs what its keys cost, whatever the dimension. The proxes that a
// coordinate missed while no gradient touched it are made up for when it is read.
std::unique_ptr<ModelState> make_lazy_state(const Vector& x0, AnyRegularizer h);

// Nesterov's acceleration: the gradient is taken at an extrapolated point, which is what read()
// gives. Momentum restarts when it points uphill (O'Donoghue and Candes, gradient scheme).
std::unique_ptr<ModelState> make_fista_state(Vector x0, AnyRegularizer h);

}  // namespace asynprox
