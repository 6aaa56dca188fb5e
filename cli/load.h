// Reading what the arguments name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/base/one_of.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/read_blocks.h"
#include "asynprox/models/features.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/run/problem_spec.h"

namespace asynprox::cli {

ReadOptions read_options(const DataSpec& arguments);
Dataset load(const DataSpec& arguments);

// Data for a model: the columns of ratings are the model's, and so are those of CSV with a header,
// by their names. Labels of CSV are text where the model's are, and without --label-column are the
// column that they were for the model: of that name, or without a header in that place.
Dataset load_for(const FittedModel& model, const DataSpec& arguments, bool rating_optional);

// As for_each_block() does it, and for a model of ratings in one block. `rating_optional`: labels
// are not looked at.
void for_each_block_for(const FittedModel& model, const DataSpec& arguments, bool rating_optional,
                        const VisitBlock& visit);

// May a file be written there? Throws ContractError for what exists, unless `force` says to replace
// it, and is no ordinary file; Error where nothing can be written. Changes nothing.
void check_output_file(const std::string& path, bool force);

// One warning at most for each: columns that the model knows nothing of, by their names or, of
// those without, how many; and columns without names that a model with names takes as they stand.
void warn_about_columns(const std::string& path, const ColumnNotes& notes,
                        std::size_t unnamed_ignored);

// Whether a file that holds numbers or a model (JSON) holds a model.
bool is_model_file(const std::string& path);

// Reads the files that specs and options name, and remembers a hash of each.
class SpecFiles {
 public:
  ReadNumbers reader();

  FittedModel model(const std::string& path);

  // In place: the weights of a file, --weights.
  void weigh(Dataset& data, const std::string& path);

  const std::vector<std::pair<std::string, std::string>>& hashes() const { return hashes_; }

 private:
  std::vector<std::pair<std::string, std::string>> hashes_;
};

}  // namespace asynprox::cli
