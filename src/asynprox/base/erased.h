// Type erasure, the same for every family: a handle such as AnyLoss is a value that holds an object
// of any type with the members that its family asks for. A family writes three things:
//
//   struct DelayInterface : MemberInterface { ... }      facts as fields, and one virtual function
//                                                        per operation, called once per batch
//   template <GivenDelay Delay>                          fills in the facts and the operations from
//   struct DelayAdapter final                            the members of `held`
//       : Adapter<DelayInterface, Delay> { ... }
//   class AnyDelay : public Erased<DelayInterface>       the public functions and their contracts
//
// and gets name, spec, the check of parameters and shared ownership from here.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "asynprox/base/family.h"

namespace asynprox {

// What the interface of a family begins with. That of AnyFiniteSum, whose objects have no spec, does
// without it.
struct MemberInterface {
  virtual ~MemberInterface() = default;
  virtual std::string_view name() const = 0;
  virtual std::string spec() const = 0;
};

template <class Interface>
concept FamilyInterface = std::derived_from<Interface, MemberInterface>;

// The part of an adapter that is the same for all: the object, which never changes.
template <class Interface, class Held>
struct Adapter : Interface {
  explicit Adapter(Held object) : held(std::move(object)) {}

  const Held held;
};

// ContractError where a parameter of the object is out of its bounds.
template <FamilyInterface Interface, class Held>
struct Adapter<Interface, Held> : Interface {
  explicit Adapter(Held object) : held(std::move(object)) { check_parameters(held); }

  std::string_view name() const override { return Held::name; }
  std::string spec() const override { return spec_of(held).text(); }

  const Held held;
};

// A handle. Copies share the object.
template <class Interface>
class Erased {
 public:
  std::string_view name() const
    requires FamilyInterface<Interface>
  {
    return held_->name();
  }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const
    requires FamilyInterface<Interface>
  {
    return held_->spec();
  }

  // The object, if it is of this type, else null.
  template <class Held>
  const Held* get_if() const {
    const auto* adapter = dynamic_cast<const Adapter<Interface, Held>*>(held_.get());
    return adapter ? &adapter->held : nullptr;
  }

 protected:
  explicit Erased(std::shared_ptr<const Interface> held) : held_(std::move(held)) {}

  const Interface& held() const { return *held_; }

 private:
  std::shared_ptr<const Interface> held_;
};

}  // namespace asynprox
