// Any method as a value, and its two parts, called once a step and once a push.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "asynprox/algorithm/methods/method.h"
#include "asynprox/algorithm/model_state.h"
#include "asynprox/base/family.h"

namespace asynprox {

class AnyServerPart {
 public:
  virtual ~AnyServerPart() = default;
  virtual bool direct(const StepPushes& step, const StepDirection& direction) = 0;
  virtual void forget() = 0;
  virtual void restored() = 0;
  // Null where it keeps none.
  virtual const Vector* mean() const = 0;
};

class AnyWorkerPart {
 public:
  virtual ~AnyWorkerPart() = default;
  virtual bool wants_shard(std::uint64_t number) const = 0;
  virtual void compute(const Batch& batch, Push& push) = 0;
  virtual void compute_shard(const Batch& batch, Push& push) = 0;
  virtual void accepted() = 0;
  virtual void add_remembered(const AnyFiniteSum& f, std::span<double> g) const = 0;
};

class AnyMethod {
 public:
  template <Method M>
  AnyMethod(M method)  // NOLINT: converts
      : method_(std::make_shared<const Holder<M>>(std::move(method))) {}

  std::string_view name() const { return method_->name(); }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const { return method_->spec(); }
  const MethodTraits& traits() const { return method_->traits(); }
  // What is missing for the method to be used for the problem: "needs a convex loss". Empty: nothing.
  std::string obstacle(const Problem& problem) const { return method_->obstacle(problem); }
  // The model at the server: the method's own, or dense or lazy as the setup says.
  std::unique_ptr<ModelState> make_state(StateSetup setup) const {
    return method_->make_state(std::move(setup));
  }
  std::unique_ptr<AnyServerPart> server_part(const ServerSetup& setup) const {
    return method_->server_part(setup);
  }
  std::unique_ptr<AnyWorkerPart> worker_part(const WorkerSetup& setup) const {
    return method_->worker_part(setup);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec() const = 0;
    virtual const MethodTraits& traits() const = 0;
    virtual std::string obstacle(const Problem& problem) const = 0;
    virtual std::unique_ptr<ModelState> make_state(StateSetup setup) const = 0;
    virtual std::unique_ptr<AnyServerPart> server_part(const ServerSetup& setup) const = 0;
    virtual std::unique_ptr<AnyWorkerPart> worker_part(const WorkerSetup& setup) const = 0;
  };

  template <class M>
  struct ServerHolder final : AnyServerPart {
    ServerHolder(const M& method, const ServerSetup& setup) : part(method, setup) {}
    bool direct(const StepPushes& step, const StepDirection& direction) override {
      return part.direct(step, direction);
    }
    void forget() override { part.forget(); }
    void restored() override { part.restored(); }
    const Vector* mean() const override {
      if constexpr (requires { part.mean(); }) return &part.mean();
      return nullptr;
    }
    typename M::ServerPart part;
  };

  template <class M>
  struct WorkerHolder final : AnyWorkerPart {
    WorkerHolder(const M& method, const WorkerSetup& setup) : part(method, setup) {}
    bool wants_shard(std::uint64_t number) const override { return part.wants_shard(number); }
    void compute(const Batch& batch, Push& push) override { part.compute(batch, push); }
    void compute_shard(const Batch& batch, Push& push) override { part.compute_shard(batch, push); }
    void accepted() override { part.accepted(); }
    void add_remembered([[maybe_unused]] const AnyFiniteSum& f,
                        [[maybe_unused]] std::span<double> g) const override {
      if constexpr (requires { part.add_remembered(f, g); }) part.add_remembered(f, g);
    }
    typename M::WorkerPart part;
  };

  template <class M>
  struct Holder final : Interface {
    explicit Holder(M held) : method(std::move(held)) { check_parameters(method); }
    std::string_view name() const override { return M::name; }
    std::string spec() const override { return spec_of(method).text(); }
    const MethodTraits& traits() const override { return M::traits; }
    std::string obstacle([[maybe_unused]] const Problem& problem) const override {
      if constexpr (requires { method.obstacle(problem); }) return method.obstacle(problem);
      return {};
    }
    std::unique_ptr<ModelState> make_state(StateSetup setup) const override {
      if constexpr (requires { method.make_state(std::move(setup)); })
        return method.make_state(std::move(setup));
      else
        return asynprox::make_state(std::move(setup));
    }
    std::unique_ptr<AnyServerPart> server_part(const ServerSetup& setup) const override {
      return std::make_unique<ServerHolder<M>>(method, setup);
    }
    std::unique_ptr<AnyWorkerPart> worker_part(const WorkerSetup& setup) const override {
      return std::make_unique<WorkerHolder<M>>(method, setup);
    }
    const M method;
  };

  std::shared_ptr<const Interface> method_;
};

}  // namespace asynprox
