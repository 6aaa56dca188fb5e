#include "asynprox/base/suggest.h"

#include <algorithm>

namespace asynprox {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Rows of the usual table; a swap looks two rows back.
  std::vector<std::size_t> before(to.size() + 1), above(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[to.size()];
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  const std::string* nearest = nullptr;
  std::size_t nearest_distance = std::max<std::size_t>(2, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    const bool completes = typed.size() >= 3 && name.starts_with(typed);
    const std::size_t distance = completes ? 1 : edit_distance(typed, name);
    if (distance >= nearest_distance || distance >= name.size()) continue;
    nearest = &name;
    nearest_distance = distance;
  }
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

std::string joined(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace asynprox
