// The smallest models of two labels and of three classes.
#pragma once

#include <string>

#include "asynprox/models/fitted_model.h"

namespace asynprox {

inline FittedModel sign_model(const std::string& loss) {
  return {.loss = loss, .x = {1}, .labels = SignLabelNames{.negative = 3, .positive = 8}};
}

inline FittedModel class_model() {
  return {.loss = "multinomial", .outputs = 3, .x = {1, 2, 3}, .classes = {7, -2, 9}};
}

}  // namespace asynprox
