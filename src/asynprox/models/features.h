// The columns of data, as a model takes them: by their names where both know these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/match_columns.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// What was found out about the columns of data beside a model's.
struct ColumnNotes {
  std::vector<std::string> ignored = {};  // names of columns that the model does not have
  bool unnamed = false;  // the model's features have names, and the data's columns have none
};

// For data that comes block by block, of which the first has the names.
class FeatureMatcher {
 public:
  // The model must outlive this.
  explicit FeatureMatcher(const FittedModel& model) : model_(model) {}

  // A copy of the block with every column in the model's place (see match_columns for which is
  // which); nothing where its columns have no names or stand there already. Throws DataError,
  // naming the columns, where some of the model's are missing; also where data without names that
  // says all of its columns (CSV) has fewer than the model: what is missing is not zero, and the
  // others may stand in the wrong places.
  std::optional<Dataset> moved(const Dataset& block);

  // Of the blocks so far.
  const ColumnNotes& notes() const { return notes_; }

 private:
  void look_at_names(const Dataset& block);

  const FittedModel& model_;
  bool first_ = true;
  bool in_place_ = true;
  std::vector<Key> places_;
  ColumnNotes notes_;
};

}  // namespace asynprox
