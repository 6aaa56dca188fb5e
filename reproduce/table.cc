#include "reproduce/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/report/json_text.h"

namespace asynprox::reproduce {
namespace {

// In double quotes where a comma, a quote or a line's end would be misread.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_text(const Cell& cell) {
  return cell.value ? fmt::format("{}", *cell.value) : csv_text(cell.text);
}

std::string json_text(const Cell& cell) {
  if (!cell.value) return json_string(cell.text);
  if (!cell.deviation) return json_number(*cell.value);
  return fmt::format("{{\"mean\": {}, \"deviation\": {}}}", json_number(*cell.value),
                     json_number(*cell.deviation));
}

bool has_deviation(const Table& table, std::size_t column) {
  return std::ranges::any_of(
      table.rows, [&](const std::vector<Cell>& row) { return row[column].deviation.has_value(); });
}

template <class Items, class Text>
std::string joined_by(std::string_view separator, const Items& items, Text text) {
  std::string all;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) all += separator;
    all += text(items[i]);
  }
  return all;
}

}  // namespace

Cell number(double value, int decimals) {
  if (!std::isfinite(value)) return {std::isnan(value) ? "–" : "never"};
  Cell cell(fmt::format("{:.{}f}", value, decimals));
  cell.value = value;
  return cell;
}

Cell number(const Spread& spread, int decimals) {
  Cell cell = number(spread.mean, decimals);
  if (!cell.value || !std::isfinite(spread.deviation)) return cell;
  // A deviation that rounds to nothing says that all seeds agree.
  cell.text += fmt::format(" ± {:.{}f}", spread.deviation, decimals);
  cell.deviation = spread.deviation;
  return cell;
}

Cell scientific(double value) {
  Cell cell(fmt::format("{:.3e}", value));
  cell.value = value;
  return cell;
}

std::string markdown(const Table& table) {
  const auto line = [](const std::string& cells) { return "| " + cells + " |\n"; };
  const auto text = [](const Cell& cell) { return cell.text; };
  std::string all = fmt::format("**{}** ({})\n\n", table.title, table.how);
  all += line(joined_by(" | ", table.columns, [](const std::string& name) { return name; }));
  all += line(joined_by(" | ", table.columns, [](const std::string&) { return "---"; }));
  for (const std::vector<Cell>& row : table.rows) all += line(joined_by(" | ", row, text));
  if (!table.note.empty()) all += "\n" + table.note + "\n";
  return all;
}

std::string csv(const Table& table) {
  std::string all;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    all += (c > 0 ? "," : "") + csv_text(table.columns[c]);
    if (has_deviation(table, c)) all += "," + csv_text(table.columns[c] + "_deviation");
  }
  all += "\n";
  for (const std::vector<Cell>& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      all += (c > 0 ? "," : "") + csv_text(row[c]);
      if (!has_deviation(table, c)) continue;
      all += row[c].deviation ? fmt::format(",{}", *row[c].deviation) : ",";
    }
    all += "\n";
  }
  return all;
}

std::string json(const Table& table) {
  const auto row_text = [](const std::vector<Cell>& row) {
    return "[" + joined_by(", ", row, [](const Cell& cell) { return json_text(cell); }) + "]";
  };
  return fmt::format(
      "{{\"title\": {}, \"how\": {}, \"note\": {}, \"columns\": [{}], \"rows\": [{}]}}",
      json_string(table.title), json_string(table.how), json_string(table.note),
      joined_by(", ", table.columns, [](const std::string& name) { return json_string(name); }),
      joined_by(", ", table.rows, row_text));
}

}  // namespace asynprox::reproduce
