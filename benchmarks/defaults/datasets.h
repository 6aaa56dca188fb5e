// The data sets on which the defaults are judged: small ones of several kinds, some of them
// awkward.
//
//   a9a, mushrooms, heart, abalone, mnist-2000      files; of mnist the first 2,000 rows, 0 to 255,
//                                                   digit 0 against the rest
//   sparse-unit                                     Zipf's columns, rows of length 1
//   sparse-counts, sparse-numbers                   the same as counts; two classes, and numbers
//   decades                                         dense columns, scaled over three decades
//   wide                                            n < d
//   outlier, outlier-classes                        one row 1,000 times longer than the others
//   separable, correlated, tiny                     classes: no noise, neighbours at 0.95, n = 40
//
// Generated entries are rounded to float and use no function of libm but sqrt and pow, so that a
// set is the same on every machine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"

namespace asynprox::benchmarks {

std::vector<std::string> defaults_datasets();

// Empty where the file is not in `folder`. Labels of classes are -1 and +1.
std::shared_ptr<const Dataset> defaults_dataset(const std::string& name, const std::string& folder);

}  // namespace asynprox::benchmarks
