// Any method as a value, and its two parts, called once per step and once per push.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "asynprox/algorithm/methods/method.h"
#include "asynprox/algorithm/methods/method_handle.h"
#include "asynprox/algorithm/model_state.h"
#include "asynprox/base/errors.h"
#include "asynprox/base/family.h"
#include "asynprox/base/snapshot.h"

namespace asynprox {

// What a part of method M keeps.
template <class M, class Part>
void save_part(const Part& part, SnapshotWriter& writer) {
  if constexpr (HasFields<Part>)
    writer.put(part);
  else
    require(std::is_empty_v<Part>, std::string("method ") + std::string(M::name) +
                                       ": cannot be saved: it lists no fields (methods/method.h)");
}
template <class Part>
void restore_part(Part& part, SnapshotReader& reader) {
  if constexpr (HasFields<Part>) reader.get(part);
}

class AnyServerPart {
 public:
  virtual ~AnyServerPart() = default;
  virtual bool direct(const StepPushes& step, const StepDirection& direction) = 0;
  virtual void forget() = 0;
  virtual void restored() = 0;
  // Null where it keeps none.
  virtual const Vector* mean() const = 0;
  virtual void save(SnapshotWriter& writer) const = 0;
  virtual void restore(SnapshotReader& reader) = 0;
};

class AnyWorkerPart {
 public:
  virtual ~AnyWorkerPart() = default;
  virtual bool wants_shard(std::uint64_t number) const = 0;
  virtual void compute(const Batch& batch, Push& push) = 0;
  virtual void compute_shard(const Batch& batch, Push& push) = 0;
  virtual void accepted() = 0;
  virtual void add_remembered(const AnyFiniteSum& f, std::span<double> g) const = 0;
  virtual void save(SnapshotWriter& writer) const = 0;
  virtual void restore(SnapshotReader& reader) = 0;
};

template <Method M>
struct MethodAdapter final : Adapter<MethodInterface, M> {
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
    void save(SnapshotWriter& writer) const override { save_part<M>(part, writer); }
    void restore(SnapshotReader& reader) override { restore_part(part, reader); }
    typename M::ServerPart part;
  };

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
    void save(SnapshotWriter& writer) const override { save_part<M>(part, writer); }
    void restore(SnapshotReader& reader) override { restore_part(part, reader); }
    typename M::WorkerPart part;
  };

  using Adapter<MethodInterface, M>::Adapter;
  using Adapter<MethodInterface, M>::held;

  const MethodTraits& traits() const override { return M::traits; }
  std::string obstacle([[maybe_unused]] const Problem& problem) const override {
    if constexpr (requires { held.obstacle(problem); }) return held.obstacle(problem);
    return {};
  }
  std::unique_ptr<ModelState> make_state(StateSetup setup) const override {
    if constexpr (requires { held.make_state(std::move(setup)); })
      return held.make_state(std::move(setup));
    else
      return asynprox::make_state(std::move(setup));
  }
  std::unique_ptr<AnyServerPart> server_part(const ServerSetup& setup) const override {
    return std::make_unique<ServerHolder>(held, setup);
  }
  std::unique_ptr<AnyWorkerPart> worker_part(const WorkerSetup& setup) const override {
    return std::make_unique<WorkerHolder>(held, setup);
  }
};

template <class M>
  requires requires { M::traits; }
AnyMethod::AnyMethod(M method)
    : Erased(std::make_shared<const MethodAdapter<M>>(std::move(method))) {}

}  // namespace asynprox
