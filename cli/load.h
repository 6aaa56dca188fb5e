// Reading what the arguments name.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/read_blocks.h"
#include "asynprox/models/fitted_model.h"

#include "cli/arguments.h"

namespace asynprox::cli {

ReadOptions read_options(const DataArguments& arguments);
Dataset load(const DataArguments& arguments);

// Data for a model: the columns of ratings are the model's, labels of CSV are text where the
// model's are, and without a header or --label-column stand where they stood for the model.
Dataset load_for(const FittedModel& model, const DataArguments& arguments, bool rating_optional);

// As for_each_block() does it, and for a model of ratings in one block. `rating_optional`: labels
// are not looked at.
void for_each_block_for(const FittedModel& model, const DataArguments& arguments,
                        bool rating_optional, const VisitBlock& visit);

// A few bytes of data may name a column that no machine has the memory for: DataError then.
void check_room_for_model(const Dataset& data);

// May a file be written there? Throws ContractError for what exists, unless `force` says to replace
// it, and is no ordinary file; Error where nothing can be written. Changes nothing.
void check_output_file(const std::string& path, bool force);

// For the one warning about columns that a model knows nothing of.
std::string columns_ignored_text(const std::string& path, std::size_t columns);

// Throws ContractError, with a suggestion, unless `text` is among the names.
void require_one_of(std::string_view option, const std::string& text,
                    const std::vector<std::string>& names);

// The member of an enumeration that is spelt `text`.
template <class Enum, std::size_t Count>
Enum chosen(std::string_view option, const std::string& text,
            const std::array<Enum, Count>& members) {
  std::vector<std::string> names;
  for (const Enum member : members) {
    if (name(member) == text) return member;
    names.emplace_back(name(member));
  }
  require_one_of(option, text, names);
  return members.front();
}

// Reads the files that specs name, and remembers a hash of each.
class SpecFiles {
 public:
  ReadNumbers reader();

  // In place: the weights of a file, --weights.
  void weigh(Dataset& data, const std::string& path);

  const std::vector<std::pair<std::string, std::string>>& hashes() const { return hashes_; }

 private:
  std::vector<std::pair<std::string, std::string>> hashes_;
};

}  // namespace asynprox::cli
