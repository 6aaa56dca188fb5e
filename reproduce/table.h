// A table of figures: for people, for spreadsheets and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reproduce/spread.h"

namespace asynprox::reproduce {

// Words, or a number with what it is shown as; a mean over seeds has a deviation beside it.
struct Cell {
  Cell(std::string words) : text(std::move(words)) {}             // NOLINT: converts
  Cell(const char* words) : text(words) {}                        // NOLINT: converts
  Cell(int count) : text(std::to_string(count)), value(count) {}  // NOLINT: converts

  std::string text;
  std::optional<double> value = {};
  std::optional<double> deviation = {};
};

// What is not finite is a word: "never" (infinitely many) or a dash (nothing over nothing).
Cell number(double value, int decimals);
Cell number(const Spread& spread, int decimals);
Cell scientific(double value);

struct Table {
  std::string name = {};  // of its file, and its key
  std::string title = {};
  std::string how = {};   // "simulated", "paced in real time", "computed": how times came about
  std::string note = {};  // a sentence or two under it
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

std::string markdown(const Table& table);

// A column of means is two, the second with "_deviation" at its name.
std::string csv(const Table& table);

std::string json(const Table& table);

}  // namespace asynprox::reproduce
