// For tests: the regularisers of the library as values, so that their laws are compiled once and not
// once per regulariser.
//
//   class SomeLaws : public ::testing::TestWithParam<RegularizerSubject> {};
//   INSTANTIATE_TEST_SUITE_P(All, SomeLaws, ::testing::ValuesIn(regularizer_subjects()), subject_name);
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {

struct RegularizerSubject {
  std::string name;
  RegularizerExamples examples;
  bool separable = false;        // by its type, for the law that AnyRegularizer says the same
  bool has_scaled_prox = false;  // likewise

  friend std::ostream& operator<<(std::ostream& out, const RegularizerSubject& subject) {
    return out << subject.name;
  }
};

// All that regularizers/all.h lists.
const std::vector<RegularizerSubject>& regularizer_subjects();

// The name of the member as GoogleTest takes it.
std::string subject_name(const ::testing::TestParamInfo<RegularizerSubject>& info);

}  // namespace asynprox
