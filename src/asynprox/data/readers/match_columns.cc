#include "asynprox/data/readers/match_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/linalg/rows_builder.h"

namespace asynprox {
namespace {

constexpr std::size_t kNamesShown = 5;

// Hands out the places of each name in their order.
class PlacesByName {
 public:
  explicit PlacesByName(std::span<const std::string> names) : next_(names.size(), kNoColumn) {
    first_.reserve(names.size());
    for (std::size_t j = names.size(); j-- > 0;) {
      if (names[j].empty()) continue;
      const auto [entry, is_new] = first_.try_emplace(names[j], static_cast<Key>(j));
      if (is_new) continue;
      next_[j] = entry->second;
      entry->second = static_cast<Key>(j);
    }
  }

  // kNoColumn if there is none, or all of them are taken.
  Key take(const std::string& name) {
    const auto entry = first_.find(name);
    if (entry == first_.end() || entry->second == kNoColumn) return kNoColumn;
    return std::exchange(entry->second, next_[entry->second]);
  }

 private:
  std::unordered_map<std::string_view, Key> first_;  // the first that is not taken
  std::vector<Key> next_;                            // of the same name
};

}  // namespace

ColumnMatch match_columns(std::span<const std::string> wanted, std::span<const std::string> given) {
  PlacesByName by_name(wanted);
  ColumnMatch match{.places = std::vector<Key>(given.size(), kNoColumn)};
  std::vector<bool> found(wanted.size(), false);
  const auto place = [&](std::size_t column, Key at) {
    match.places[column] = at;
    found[at] = true;
  };
  for (std::size_t j = 0; j < given.size(); ++j)
    if (const Key at = by_name.take(given[j]); at != kNoColumn) place(j, at);
  for (std::size_t j = 0; j < std::min(given.size(), wanted.size()); ++j)
    if (!found[j] && match.places[j] == kNoColumn && (given[j].empty() || wanted[j].empty()))
      place(j, static_cast<Key>(j));
  for (std::size_t j = 0; j < given.size(); ++j)
    if (match.places[j] == kNoColumn) match.ignored.push_back(given[j]);
  for (std::size_t j = 0; j < wanted.size(); ++j)
    if (!found[j]) match.missing.push_back(j);
  return match;
}

void require_all_columns(const ColumnMatch& match, std::span<const std::string> wanted,
                         const std::string& file) {
  if (match.missing.empty()) return;
  std::vector<std::string> shown;
  for (const std::size_t j : match.missing) {
    if (shown.size() == kNamesShown) break;
    shown.push_back(wanted[j].empty() ? fmt::format("number {}, which has no name", j + 1)
                                      : quoted_token(wanted[j]));
  }
  const std::size_t more = match.missing.size() - shown.size();
  throw DataError(fmt::format("{}: expected the model's {} features, got no column {}{}", file,
                              wanted.size(), fmt::join(shown, ", "),
                              more > 0 ? fmt::format(" and {} more", more) : ""));
}

Rows placed_rows(const Rows& rows, std::span<const Key> places, std::size_t num_columns) {
  RowsBuilder builder;
  std::vector<RowEntry> placed;
  std::vector<Key> columns;
  Vector values;
  walk_rows(rows, [&](std::size_t, std::span<const RowEntry> row) {
    placed.clear();
    columns.clear();
    values.clear();
    for (const auto& [column, value] : row)
      if (column < places.size() && places[column] != kNoColumn)
        placed.push_back({places[column], value});
    std::ranges::sort(placed, {}, &RowEntry::column);
    for (const auto& [column, value] : placed) {
      columns.push_back(column);
      values.push_back(value);
    }
    builder.add(std::array<std::uint64_t, 2>{0, placed.size()}, columns, values);
  });
  return std::move(builder).build(num_columns);
}

std::string names_shown(std::span<const std::string> names) {
  std::vector<std::string> shown;
  for (const std::string& name : names.first(std::min(names.size(), kNamesShown)))
    shown.push_back(quoted_token(name));
  const std::size_t more = names.size() - shown.size();
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace asynprox
