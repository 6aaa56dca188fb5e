// THE list of refinements: what looks for a better model at an evaluation, in the order in which it
// does (algorithm/run_evaluator.cc). Each has a name, by which a run says that it helped, a formula in a
// few words, and a reference.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/refinements/fista_search.h"
#include "asynprox/refinements/newton_search.h"
#include "asynprox/refinements/span_search.h"

namespace asynprox {

template <class R>
concept Refinement = requires {
  { R::name } -> std::convertible_to<std::string_view>;
  { R::formula } -> std::convertible_to<std::string_view>;
  { R::reference } -> std::convertible_to<std::string_view>;
};

template <Refinement... Members>
using RefinementFamily = Family<Members...>;

using AllRefinements = RefinementFamily<NewtonSearch, SpanSearch, FistaSearch>;

// They are not chosen by a spec, and have no parameters.
inline std::vector<MemberDescription> describe_refinements() {
  std::vector<MemberDescription> members;
  for_each_member(AllRefinements{}, [&]<class R>(std::type_identity<R>) {
    members.push_back(
        {std::string(R::name), std::string(R::formula) + ". " + std::string(R::reference), {}});
  });
  return members;
}

}  // namespace asynprox
