#include <algorithm>

#include "asynprox/regularizers/regularizer_subjects_testing.h"

namespace asynprox {

const std::vector<RegularizerSubject>& regularizer_subjects() {
  static const std::vector<RegularizerSubject> subjects = [] {
    std::vector<RegularizerSubject> all;
    for_each_member(AllRegularizers{}, [&]<class R>(std::type_identity<R>) {
      all.push_back({.name = std::string(R::name),
                     .examples = examples_of<R>(),
                     .separable = SeparableRegularizer<R>,
                     .has_scaled_prox = HasScaledProx<R>});
    });
    return all;
  }();
  return subjects;
}

std::string subject_name(const ::testing::TestParamInfo<RegularizerSubject>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace asynprox
