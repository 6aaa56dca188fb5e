#include "asynprox/models/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {

void FeatureMatcher::look_at_names(const Dataset& block) {
  notes_.ignored = block.columns_ignored;
  // Users and items are matched as ratings are read.
  const bool by_name = !model_.feature_names.empty() && !model_.ratings;
  notes_.unnamed = by_name && block.feature_names.empty();
  if (!by_name || block.feature_names.empty() || block.feature_names == model_.feature_names)
    return;
  ColumnMatch match = match_columns(model_.feature_names, block.feature_names);
  require_all_columns(match, model_.feature_names, block.name);
  notes_.ignored.insert(notes_.ignored.end(), match.ignored.begin(), match.ignored.end());
  places_ = std::move(match.places);
  in_place_ = places_.size() == model_.feature_names.size() && std::ranges::is_sorted(places_);
}

std::optional<Dataset> FeatureMatcher::moved(const Dataset& block) {
  if (std::exchange(first_, false)) look_at_names(block);
  if (in_place_) {
    if (block.all_columns_said && block.dimension() < model_.dimension())
      throw DataError(fmt::format(
          "{}: expected the model's {} features, got {} (a column is taken for the label; "
          "--label-column none if there is none)",
          block.name, model_.dimension(), block.dimension()));
    return std::nullopt;
  }
  Dataset copy = block;
  copy.rows_fingerprint.reset();
  copy.feature_names =
      block.feature_names.empty() ? std::vector<std::string>() : model_.feature_names;
  copy.rows = naming<DataError>(
      block.name, [&] { return placed_rows(block.rows, places_, model_.dimension()); });
  return copy;
}

}  // namespace asynprox
