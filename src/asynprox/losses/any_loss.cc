#include "asynprox/losses/any_loss.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {

namespace {

[[noreturn]] void fail_without(std::string_view loss, std::string_view what) {
  throw ContractError(fmt::format("the loss {} has no {}", loss, what));
}

}  // namespace

void LossInterface::local_curvatures(Numbers, Out) const {
  fail_without(name(), "local curvature");
}

void LossInterface::second_derivatives(Numbers, Numbers, Out) const {
  fail_without(name(), "second derivative");
}

void LossInterface::conjugates(Numbers, Numbers, Out) const { fail_without(name(), "conjugate"); }

void AnyLoss::check_labels(std::span<const double> y, std::size_t num_outputs) const {
  const auto C = static_cast<double>(num_outputs);
  const std::optional<double> least = held().facts.label_least;
  const bool classes = labels() == Labels::classes;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (classes && !(y[i] >= 0 && y[i] < C && y[i] == std::trunc(y[i])))
      throw ContractError(fmt::format("labels: sample {}: expected a class from 0 to {}, got {}",
                                      i + 1, C - 1, y[i]));
    if (least && !(y[i] >= *least))
      throw DataError(fmt::format("labels: sample {}: expected at least {} for the loss {}, got {}",
                                  i + 1, *least, name(), y[i]));
  }
}

}  // namespace asynprox
