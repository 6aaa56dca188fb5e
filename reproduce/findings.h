// What a reproduction found so far: tables, figures and what to say about the data.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "asynprox/report/line_chart.h"

#include "reproduce/table.h"

namespace asynprox::reproduce {

struct Figure {
  std::string name = {};  // of its file, and its key
  std::string how = {};   // as in a table
  std::string note = {};
  LineChart chart = {};
};

std::string json(const Figure& figure);
std::string csv(const Figure& figure);  // series, x, y

class Findings {
 public:
  // Told of each table and figure as it is found, so that an end too soon does not lose it.
  std::function<void(const Table&)> on_table = {};
  std::function<void(const Figure&)> on_figure = {};
  std::function<void(const std::string&)> on_note = {};

  void add(Table table);
  void add(Figure figure);
  void add_note(std::string note);

  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<Figure>& figures() const { return figures_; }
  const std::vector<std::string>& notes() const { return notes_; }

  // Null where there is none (yet) of that name.
  const Table* table(std::string_view name) const;

 private:
  std::vector<Table> tables_;
  std::vector<Figure> figures_;
  std::vector<std::string> notes_;
};

// {"version": ..., "notes": [...], "tables": {NAME: {...}}, "figures": {NAME: {...}}}
std::string json(const Findings& findings);

}  // namespace asynprox::reproduce
