// Ratings: who gave which thing what.
//
//   user item rating [time]        a line each, between tabs or commas; the time is not looked at
//
// A rating becomes a row of two ones, in the columns `user` and `num_users + item`, and its label
// is the rating. Users and items are spelt in any way ("196", "Ann", "\"a, b\"" in quotes between
// commas), numbered as they come, and kept by name: feature_names is "user:196", ..., "item:242",
// ...
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"

namespace asynprox {

struct RatingsOptions {
  // Columns as a model has them: feature_names and shape of the ratings it was fitted to. A user or
  // an item that is not among them has no column: its row has a one less. None: as they come.
  std::vector<std::string> feature_names = {};
  RatingsShape shape = {};
  // A line may end with its item: the label is then 0.
  bool rating_optional = false;
};

// Plain or compressed; "-" is standard input. A first line whose third field is no number is a
// header. Throws DataError as file:line:field: expected ..., got ..., both from 1; also for
// users and items that are not UTF-8: a model could not keep their names. A UTF-8 byte order mark
// is skipped.
Dataset read_ratings(const std::string& path, const RatingsOptions& options = {});

// Calls work(i, user, item) with the numbers of each rating's. Throws ContractError, naming the
// data and the row, for what are no ratings.
void for_each_rating(const Dataset& ratings,
                     const std::function<void(std::size_t, Key user, Key item)>& work);

}  // namespace asynprox
