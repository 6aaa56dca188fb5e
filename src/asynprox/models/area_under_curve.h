// How well scores tell two classes apart, whatever the threshold.
//
// Hanley and McNeil (1982), The meaning and use of the area under a receiver operating
// characteristic (ROC) curve.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace asynprox {

struct RankedSample {
  double u = 0;              // its score
  double signed_weight = 0;  // its weight, negative for a negative sample
};

// How probable it is that a positive sample scores above a negative one; an equal score counts
// half. Empty where one of the two is missing. Costs a sort, in place of the samples' order.
std::optional<double> area_under_curve(std::span<RankedSample> samples);

// The same of scores u and signs, with sample weights (empty: all one).
std::optional<double> area_under_curve(std::span<const double> u, std::span<const double> signs,
                                       std::span<const double> weights = {});

}  // namespace asynprox
