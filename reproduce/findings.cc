#include "reproduce/findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/report/json_text.h"
#include "asynprox/version.h"

namespace asynprox::reproduce {
namespace {

// Separated by commas, a line each.
class List {
 public:
  void add(const std::string& item) { text_ += (text_.empty() ? "\n" : ",\n") + item; }
  std::string text() const { return text_.empty() ? "" : text_ + "\n"; }

 private:
  std::string text_;
};

}  // namespace

void Findings::add(Table table) {
  tables_.push_back(std::move(table));
  if (on_table) on_table(tables_.back());
}

void Findings::add(Figure figure) {
  figures_.push_back(std::move(figure));
  if (on_figure) on_figure(figures_.back());
}

void Findings::add_note(std::string note) {
  notes_.push_back(std::move(note));
  if (on_note) on_note(notes_.back());
}

const Table* Findings::table(std::string_view name) const {
  const auto found = std::ranges::find(tables_, name, &Table::name);
  return found == tables_.end() ? nullptr : &*found;
}

std::string json(const Figure& figure) {
  List series;
  for (const ChartSeries& each : figure.chart.series) {
    std::string points;
    for (const ChartPoint& point : each.points)
      points += fmt::format("{}[{}, {}]", points.empty() ? "" : ", ", json_number(point.x),
                            json_number(point.y));
    series.add(fmt::format("{{\"name\": {}, \"points\": [{}]}}", json_string(each.name), points));
  }
  return fmt::format(
      "{{\"title\": {}, \"how\": {}, \"x\": {}, \"y\": {}, \"file\": {}, \"series\": [{}]}}",
      json_string(figure.chart.title), json_string(figure.how), json_string(figure.chart.x_label),
      json_string(figure.chart.y_label), json_string(figure.name + ".svg"), series.text());
}

std::string csv(const Figure& figure) {
  std::string text = "series,x,y\n";
  for (const ChartSeries& each : figure.chart.series)
    for (const ChartPoint& point : each.points)
      text += fmt::format("\"{}\",{},{}\n", each.name, point.x, point.y);
  return text;
}

std::string json(const Findings& findings) {
  List tables, figures, notes;
  for (const Table& table : findings.tables())
    tables.add(json_string(table.name) + ": " + json(table));
  for (const Figure& figure : findings.figures())
    figures.add(json_string(figure.name) + ": " + json(figure));
  for (const std::string& note : findings.notes()) notes.add(json_string(note));
  return fmt::format(
      "{{\"version\": {},\n\"notes\": [{}],\n\"tables\": {{{}}},\n\"figures\": {{{}}}}}\n",
      json_string(kVersion), notes.text(), tables.text(), figures.text());
}

}  // namespace asynprox::reproduce
