#include <algorithm>
#include <string>
#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/delays/all.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/kinds.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sampling/all.h"
#include "asynprox/simulator/cluster.h"
#include "asynprox/simulator/compute_times/all.h"
#include "asynprox/step_sizes/all.h"

#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

const ReadNumbers kRead = [](const std::string&) { return std::vector<double>{1, 2}; };

template <class... Members>
bool has(Family<Members...> family, const Spec& spec) {
  const std::vector<std::string> names = member_names(family);
  return std::ranges::find(names, spec.name) != names.end();
}

// Makes the member that the spec names, of a family that has one.
template <class Family, class Make>
void make(const Spec& spec, Family family, const Make& make_member) {
  if (!has(family, spec)) return;
  try {
    make_member(spec);
  } catch (const ContractError&) {
  }
}

// What is made prints a spec that makes the same.
template <class Family, class Make>
void make_again(const Spec& spec, Family family, const Make& make_member) {
  if (!has(family, spec)) return;
  std::string text;
  try {
    text = make_member(spec).spec();
  } catch (const ContractError&) {
    return;
  }
  ensure(make_member(parse_spec(text)).spec() == text, "a member is not read as written");
}

// A name that no member has is refused with a suggestion.
void refuse(const Spec& spec) {
  if (has(AllRegularizers{}, spec)) return;
  try {
    make_regularizer(spec, kRead);
    ensure(false, "a member without a name");
  } catch (const ContractError&) {
  }
}

}  // namespace

void fuzz_specs(Input input) {
  Spec spec;
  try {
    spec = parse_spec(text_of(input));
  } catch (const ContractError&) {
    return;
  }
  ensure(parse_spec(spec.text()) == spec, "a spec is not read as written");
  make_again(spec, AllLosses{}, [](const Spec& s) { return make_loss(s, kRead); });
  make_again(spec, AllRegularizers{}, [](const Spec& s) { return make_regularizer(s, kRead); });
  make_again(spec, AllStepSizes{}, [](const Spec& s) { return make_step_size(s, kRead); });
  make_again(spec, AllSamplings{}, [](const Spec& s) { return make_sampling(s, kRead); });
  make_again(spec, AllComputeTimes{}, [](const Spec& s) { return make_compute_time(s, kRead); });
  make_again(spec, AllMethods{}, [](const Spec& s) { return make_method(s, kRead); });
  make_again(spec, AllDelays{}, [](const Spec& s) { return make_delay(s, kRead); });
  make(spec, AllGenerators{}, [](const Spec& s) { make_generator(s, kRead); });
  make(spec, AllModels{}, [](const Spec& s) { make_model_kind(s); });
  make(spec, AllFaults{}, [](const Spec& s) { make_faults(s); });
  refuse(spec);
}

}  // namespace asynprox::fuzz
