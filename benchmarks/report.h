// What a benchmark has to say: tables, as Markdown on standard output and as JSON in a file.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace asynprox::benchmarks {

// A word, or a number that is shown to three digits.
using Cell = std::variant<std::string, double>;

struct Table {
  std::string name;   // in the JSON
  std::string about;  // a sentence or two above it
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows = {};
};

struct Arguments {
  std::string data_folder;
  int turns = 9;  // of which the best counts
};

// The tables of one program.
class Report {
 public:
  // Starts a table, and prints its head; rows are printed as they come.
  void begin(const Table& table);
  void add(const std::vector<Cell>& row);

  void write_json(const std::string& path) const;

 private:
  std::vector<Table> tables_;
};

// The main() of a benchmark: options, errors, the report.
int run_program(int argc, char** argv, const std::string& title,
                const std::function<void(const Arguments&, Report&)>& measure);

}  // namespace asynprox::benchmarks
