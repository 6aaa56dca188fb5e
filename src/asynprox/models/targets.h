// The labels of data, as a model's loss takes them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/scalar_loss.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// Labels of signs and classes are matched to the model's: by their spelling where the model's are
// text, else as numbers, however they are spelt. So it does not matter whether the data, or a block
// of it, has a label among others that is text.
class Targets {
 public:
  // The model must outlive this, and pass check_model.
  explicit Targets(const FittedModel& model);

  Labels kind() const { return kind_; }

  // One a sample: -1 or +1; the number of the class, from 0; the label itself; zeros where labels
  // are not looked at. Throws DataError, naming the sample, its number counted from
  // `samples_before`, for a label that the model does not know (with one against the rest it is
  // one of the rest), and for one that is no number where the loss takes numbers.
  Vector of(const Dataset& data, std::size_t samples_before = 0) const;

 private:
  std::optional<std::size_t> place_of(const Dataset& data, double label) const;
  Vector numbers_of(const Dataset& data, std::size_t samples_before) const;
  [[noreturn]] void fail(const Dataset& data, std::size_t sample, double label) const;
  std::string expected() const;

  const FittedModel& model_;
  Labels kind_;
  Vector known_;                                // the two of signs, negative first, or the classes
  std::map<double, std::size_t> by_number_;     // where in known_
  std::map<std::string, std::size_t> by_text_;  // the same
};

}  // namespace asynprox
