#include "reproduce/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace asynprox::reproduce {
namespace {

// The cell of the row that begins with these cells, in the column of that name.
const Cell* find_cell(const Table* table, const std::vector<std::string>& row_start,
                      const std::string& column) {
  if (!table) return nullptr;
  const auto place = std::ranges::find(table->columns, column);
  if (place == table->columns.end()) return nullptr;
  for (const std::vector<Cell>& row : table->rows) {
    const bool matches = std::ranges::equal(row_start, row | std::views::take(row_start.size()), {},
                                            {}, &Cell::text);
    if (matches) return &row[static_cast<std::size_t>(place - table->columns.begin())];
  }
  return nullptr;
}

// "speedup_a9a" -> "a9a", for every table whose name begins so.
std::vector<std::string> data_of(const Findings& findings, const std::string& kind) {
  std::vector<std::string> names;
  for (const Table& table : findings.tables())
    if (table.name.starts_with(kind + "_")) names.push_back(table.name.substr(kind.size() + 1));
  return names;
}

void add_speedup(const Findings& findings, const std::string& data, std::vector<Claim>& all) {
  const Table* simulated = findings.table("speedup_" + data);
  const Table* paced = findings.table("paced_speedup_" + data);
  for (const std::string kind : {"iteration", "time"}) {
    const Cell* paper = find_cell(simulated, {"the paper", "8"}, kind + " speedup");
    const Cell* raw = find_cell(simulated, {kMainReading, "8"}, kind + " speedup");
    const Cell* smooth = find_cell(simulated, {kMainReading, "8"}, kind + ", interpolated");
    const Cell* real = find_cell(paced, {"8"}, kind + " speedup");
    if (!raw || !smooth || !raw->value || !smooth->value || (real && !real->value)) continue;
    Claim claim{.text = fmt::format("{}: {} speedup of 8 workers {}", data, kind,
                                    paper ? paper->text : "near 8"),
                .measured = fmt::format("simulated {}, interpolated {}", raw->text, smooth->text),
                .verdict = {},
                .table = simulated->name};
    if (real) claim.measured += fmt::format("; paced in real time {}", real->text);
    const double bar = paper ? *paper->value : 7;
    const double least = std::min({*raw->value, *smooth->value, real ? *real->value : *raw->value});
    claim.verdict = least >= bar ? "holds, and more" : "less here";
    all.push_back(std::move(claim));
  }
}

void add_whole_batch(const Findings& findings, const std::string& data, std::vector<Claim>& all) {
  const Table* table = findings.table("speedup_" + data);
  for (const std::string factor : {"0.5", "0.08"}) {
    const std::string reading = "a push is a whole batch (m = 1), eta = " + factor + "/L";
    std::string row;
    for (const char* workers : {"2", "4", "8"}) {
      const Cell* cell = find_cell(table, {reading, workers}, "iteration speedup");
      const Cell* paper = find_cell(table, {"the paper", workers}, "iteration speedup");
      if (!cell || !paper || !cell->value) return;
      row += fmt::format("{}{:.2f} (paper {:.2f})", row.empty() ? "" : ", ", *cell->value,
                         *paper->value);
    }
    all.push_back({.text = fmt::format("{}: iteration speedups of 2, 4, 8 workers, if every push "
                                       "is a batch, eta = {}/L",
                                       data, factor),
                   .measured = "simulated " + row,
                   .verdict = "see below",
                   .table = table->name});
  }
}

void add_uneven(const Findings& findings, const std::string& data, std::vector<Claim>& all) {
  const std::string column = "asynchronous : synchronous";
  const Table* simulated = findings.table("uneven_" + data);
  const Table* paced = findings.table("paced_uneven_" + data);
  const Cell* cell = find_cell(simulated, {"one 4 times slower"}, column);
  const Cell* real = find_cell(paced, {}, column);
  if (!cell || !cell->value) return;
  Claim claim{.text = data + ": no worker waits for another (8 workers, one 4 times slower)",
              .measured = fmt::format("simulated {} times faster than synchronous", cell->text),
              .verdict = *cell->value >= 1.5 ? "holds" : "less here",
              .table = simulated->name};
  if (real) claim.measured += fmt::format("; paced in real time {}", real->text);
  all.push_back(std::move(claim));
}

void add_tuned(const Findings& findings, const std::string& data, std::vector<Claim>& all) {
  const Table* table = findings.table("tuned_" + data);
  const Cell* free = find_cell(table, {"eta and N"}, "speedup");
  const Cell* fixed = find_cell(table, {"nothing: eta = 1/L, N = 8192"}, "speedup");
  if (!free || !fixed) return;
  all.push_back({.text = data + ": near-linear speedup",
                 .measured = fmt::format("best of one worker over best of eight, simulated: {} "
                                         "where eta and N are free, {} with eta = 1/L, N = 8192",
                                         free->text, fixed->text),
                 .verdict = "of this batch, not of the problem",
                 .table = table->name});
}

}  // namespace

std::vector<Claim> claims(const Findings& findings) {
  std::vector<Claim> all;
  for (const std::string& data : data_of(findings, "speedup")) {
    add_speedup(findings, data, all);
    add_whole_batch(findings, data, all);
    add_uneven(findings, data, all);
    add_tuned(findings, data, all);
  }
  return all;
}

}  // namespace asynprox::reproduce
