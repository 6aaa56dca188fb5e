#include "benchmarks/report.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>

namespace asynprox::benchmarks {
namespace {

std::string text_of(const Cell& cell) {
  if (const auto* word = std::get_if<std::string>(&cell)) return *word;
  return fmt::format("{:.3g}", std::get<double>(cell));
}

void print_row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
  std::fflush(stdout);
}

nlohmann::ordered_json json_of(const Table& table) {
  auto rows = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < row.size(); ++i)
      std::visit([&](const auto& value) { object[table.columns[i]] = value; }, row[i]);
    rows.push_back(object);
  }
  return {{"name", table.name}, {"about", table.about}, {"rows", rows}};
}

}  // namespace

void Report::begin(const Table& table) {
  tables_.push_back(table);
  fmt::print("\n{}\n\n", table.about);
  print_row(table.columns);
  print_row(std::vector<std::string>(table.columns.size(), "---"));
}

void Report::add(const std::vector<Cell>& row) {
  tables_.back().rows.push_back(row);
  std::vector<std::string> texts;
  for (const Cell& cell : row) texts.push_back(text_of(cell));
  print_row(texts);
}

void Report::write_json(const std::string& path) const {
  auto tables = nlohmann::ordered_json::array();
  for (const Table& table : tables_) tables.push_back(json_of(table));
  std::ofstream(path) << tables.dump(2) << '\n';
}

int run_program(int argc, char** argv, const std::string& title,
                const std::function<void(const Arguments&, Report&)>& measure) {
  CLI::App app(title);
  Arguments arguments;
  std::string json_path;
  app.add_option("--data", arguments.data_folder, "folder with a9a.xz and mnist.xz")
      ->envname("ASYNPROX_DATA_DIR");
  app.add_option("--json", json_path, "write the figures here too");
  app.add_option("--turns", arguments.turns, "of which the best counts")
      ->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    fmt::print("## {}\n", title);
    Report report;
    measure(arguments, report);
    fmt::print("\n");
    if (!json_path.empty()) report.write_json(json_path);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}

}  // namespace asynprox::benchmarks
