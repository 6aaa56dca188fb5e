// AnyMethod, for those who hold a method and leave its work to others: any_method.h has the rest.
#pragma once

#include <memory>
#include <string>

#include "asynprox/algorithm/methods/method_traits.h"
#include "asynprox/base/erased.h"

namespace asynprox {

class AnyServerPart;  // any_method.h
class AnyWorkerPart;
class ModelState;    // model_state.h
struct Problem;      // problem/problem.h
struct ServerSetup;  // method.h
struct StateSetup;   // model_state.h
struct WorkerSetup;  // method.h

struct MethodInterface : MemberInterface {
  virtual const MethodTraits& traits() const = 0;
  virtual std::string obstacle(const Problem& problem) const = 0;
  virtual std::unique_ptr<ModelState> make_state(StateSetup setup) const = 0;
  virtual std::unique_ptr<AnyServerPart> server_part(const ServerSetup& setup) const = 0;
  virtual std::unique_ptr<AnyWorkerPart> worker_part(const WorkerSetup& setup) const = 0;
};

class AnyMethod : public Erased<MethodInterface> {
 public:
  // any_method.h has it: whoever makes one of a method includes that.
  template <class M>
    requires requires { M::traits; }
  AnyMethod(M method);  // NOLINT: converts

  const MethodTraits& traits() const { return held().traits(); }
  // What is missing for the method to be used for the problem: "needs a convex loss". Empty: nothing.
  std::string obstacle(const Problem& problem) const { return held().obstacle(problem); }
  // The model at the server: the method's own, or dense or lazy as the setup says.
  std::unique_ptr<ModelState> make_state(StateSetup setup) const;
  std::unique_ptr<AnyServerPart> server_part(const ServerSetup& setup) const;
  std::unique_ptr<AnyWorkerPart> worker_part(const WorkerSetup& setup) const;
};

AnyMethod make_method(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
