// A word that must be one of a few.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace asynprox {

// Throws ContractError, naming `option` and the nearest name, unless `text` is among the names.
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

}  // namespace asynprox
