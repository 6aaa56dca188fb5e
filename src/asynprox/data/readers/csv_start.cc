#include "asynprox/data/readers/csv_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "asynprox/base/errors.h"
#include "asynprox/base/suggest.h"
#include "asynprox/data/readers/match_columns.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/data/readers/utf8.h"

namespace asynprox {
namespace {

using Kind = NumberToken::Kind;
using Record = std::vector<std::string>;

constexpr std::string_view kNoLabel = "none";

// A line of nothing but commas must not take many times its length in memory.
constexpr std::size_t kCellsMax = std::size_t{1} << 24;

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 8> kSpellings = {"",  "na",   "n/a",  "nan",
                                                          "?", "null", "none", "-"};
  return std::ranges::find(kSpellings, lower(cell)) != kSpellings.end();
}

// The first line that is neither blank nor a comment of LIBSVM text.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') return line.substr(first);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// Whether a token of the line is <column>:<value>, or begins like one.
bool has_libsvm_feature(std::string_view line) {
  for (std::size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
    const bool after_blank = begin > 0 && (line[begin - 1] == ' ' || line[begin - 1] == '\t');
    if (begin < at && after_blank) return true;
  }
  return false;
}

Record next_record(CsvCells& cells) {
  Record record;
  while (record.empty() && !cells.at_end()) {
    bool ended = false;
    while (!ended) {
      const CsvCell cell = cells.next();
      record.emplace_back(cell.text);
      ended = cell.ends_record;
      if (record.size() > kCellsMax)
        throw CsvMisread{cells.place(),
                         fmt::format("expected at most {} cells, got more", kCellsMax)};
    }
  }
  return record;
}

bool is_name(const std::string& cell) {
  return !is_missing(cell) && number_token(cell).kind == Kind::not_a_number;
}

bool names_columns(const Record& first, const Record& second) {
  if (second.empty()) return std::ranges::all_of(first, is_name);
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    if (is_name(first[i]) && number_token(second[i]).kind != Kind::not_a_number) return true;
  return false;
}

// Whether it has every name that is wanted: then it is a header, even of names that are numbers.
bool has_all_of(const Record& first, const Record& wanted) {
  return !wanted.empty() && match_columns(wanted, first).missing.empty() &&
         std::ranges::none_of(wanted, &std::string::empty);
}

void check_names(const Record& names, std::size_t line) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!is_utf8(names[i]))
      throw CsvMisread{{line, i + 1},
                       fmt::format("expected a name in UTF-8, got {}", quoted_token(names[i]))};
}

// The number that is all of the text; 0 if it is none.
std::size_t column_number(const std::string& text) {
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size() ? number : 0;
}

// Which cell, from 0, as a user typed it.
std::optional<std::size_t> label_cell(const std::string& label, std::size_t num_cells,
                                      const Record& names) {
  const auto named = std::ranges::find(names, label);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  if (label == kNoLabel) return std::nullopt;
  const std::size_t number = column_number(label);
  if (number >= 1 && number <= num_cells) return number - 1;
  throw ContractError(
      fmt::format("--label-column: expected {}a number from 1 to {}, or {}, got '{}'{}",
                  names.empty() ? "" : "the name of a column, ", num_cells, kNoLabel, label,
                  did_you_mean(label, names)));
}

// Which cell, from 0, by its number in other data.
std::optional<std::size_t> usual_label_cell(const std::string& label, std::size_t num_cells,
                                            CsvPlace place) {
  if (label.empty()) return num_cells - 1;
  if (label == kNoLabel) return std::nullopt;
  const std::size_t number = column_number(label);
  require(number >= 1, fmt::format("label column: expected a number or none, got '{}'", label));
  if (number <= num_cells) return number - 1;
  throw CsvMisread{place, fmt::format("expected at least {} cells, the last of them the label as "
                                      "in the model's data, got {}",
                                      number, num_cells)};
}

// The number, from 1, of the column where labels stood in other data; 0 if there is none here.
std::size_t usual_number(const Record& names, const CsvOptions& options) {
  const std::string& usual = options.label_column_usual;
  const std::size_t number = usual.empty() ? names.size() : column_number(usual);
  return number <= names.size() ? number : 0;
}

// The only column that is no feature of the model, if it is one.
std::optional<std::size_t> only_other_column(const Record& names, const Record& features) {
  const std::vector<Key> places = match_columns(features, names).places;
  const auto other = std::ranges::find(places, kNoColumn);
  if (std::ranges::count(places, kNoColumn) != 1) return std::nullopt;
  return static_cast<std::size_t>(other - places.begin());
}

// Which cell, from 0, has the name that the labels had; of several, the one with the same number.
std::optional<std::size_t> named_label_cell(const Record& names, const CsvOptions& options) {
  const std::string& name = options.label_column_name;
  const std::size_t number = usual_number(names, options);
  if (number > 0 && names[number - 1] == name) return number - 1;
  const auto named = std::ranges::find(names, name);
  if (named == names.end()) return std::nullopt;
  return static_cast<std::size_t>(named - names.begin());
}

// The same where that name is not known: the cell with the same number if that is no feature, or
// else the only one that is none. A model that was fitted without labels wants none.
std::optional<std::size_t> unnamed_label_cell(const Record& names, const CsvOptions& options) {
  if (options.label_column_usual == kNoLabel) return std::nullopt;
  const Record& features = options.feature_names;
  const std::size_t number = usual_number(names, options);
  if (number > 0 && std::ranges::find(features, names[number - 1]) == features.end())
    return number - 1;
  return only_other_column(names, features);
}

// The cell of the labels, from 0. Where labels are wanted, and the model was fitted to some, they
// must be there.
std::optional<std::size_t> chosen_label_cell(const Record& names, std::size_t num_cells,
                                             CsvPlace place, const CsvOptions& options,
                                             const std::string& file) {
  if (options.label_column) return label_cell(*options.label_column, num_cells, names);
  if (names.empty() || options.feature_names.empty())
    return usual_label_cell(options.label_column_usual, num_cells, place);
  const std::string& name = options.label_column_name;
  const std::optional<std::size_t> cell =
      name.empty() ? unnamed_label_cell(names, options) : named_label_cell(names, options);
  if (cell || options.labels_optional || options.label_column_usual == kNoLabel) return cell;
  if (name.empty())
    throw DataError(fmt::format(
        "{}: the model does not say which column the labels are: expected one that is no feature "
        "of the model, got none or several (--label-column chooses)",
        file));
  throw DataError(
      fmt::format("{}: expected the labels in the column {}, as in the model's data, "
                  "got no column of that name (--label-column chooses another)",
                  file, quoted_token(name)));
}

std::string label_column_text(std::optional<std::size_t> label, std::size_t num_cells) {
  if (!label) return std::string(kNoLabel);
  return *label + 1 == num_cells ? "" : std::to_string(*label + 1);
}

// Columns by the names that are wanted: `cells` are those that are not the label.
void place_by_name(const std::vector<std::size_t>& cells, const CsvOptions& options,
                   const std::string& file, CsvStart& start) {
  Record& names = start.feature_names;
  names.resize(std::max(names.size(), options.dimension_min));
  const ColumnMatch match = match_columns(options.feature_names, names);
  require_all_columns(match, options.feature_names, file);
  start.layout.num_columns = options.feature_names.size();
  for (std::size_t j = 0; j < cells.size(); ++j) {
    start.layout.places[cells[j]] = match.places[j];
    if (match.places[j] == kNoColumn) start.columns_ignored.push_back(names[j]);
  }
  std::vector<Key> placed = match.places;
  std::erase(placed, kNoColumn);
  start.layout.rising = std::ranges::is_sorted(placed);
  start.feature_names = options.feature_names;
}

// Which column each cell is.
void place_columns(std::optional<std::size_t> label, const Record& names, const CsvOptions& options,
                   const std::string& file, CsvStart& start) {
  CsvLayout& layout = start.layout;
  layout.places.assign(layout.num_cells, kNoColumn);
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < layout.num_cells; ++cell) {
    if (cell == label) continue;
    layout.places[cell] = static_cast<Key>(cells.size());
    cells.push_back(cell);
    if (!names.empty()) start.feature_names.push_back(names[cell]);
  }
  layout.num_columns = cells.size();
  if (!names.empty() && !options.feature_names.empty()) place_by_name(cells, options, file, start);
}

}  // namespace

bool looks_like_csv(std::string_view start) {
  const std::string_view line = first_line(start);
  const std::size_t last = line.find_last_not_of(" \t\r");
  const std::string_view words = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
  return words.find_first_of(",;\t") != std::string_view::npos && !has_libsvm_feature(words);
}

bool is_csv_name(std::string_view path) {
  std::string name = lower(path);
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst"})
    if (name.ends_with(packed)) {
      name.erase(name.size() - packed.size());
      break;
    }
  return name.ends_with(".csv") || name.ends_with(".tsv");
}

char csv_separator(std::string_view start) {
  bool in_quotes = false, has_semicolon = false;
  bool blank = true;
  for (const char c : start) {
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    if (c == '\n' && !blank) break;
    if (c == '\t') return '\t';
    blank = blank && (c == '\n' || c == '\r' || c == ' ');
    has_semicolon = has_semicolon || c == ';';
  }
  return has_semicolon ? ';' : ',';
}

CsvStart csv_start(std::string_view text, const CsvOptions& options, const std::string& file) {
  CsvStart start;
  start.layout.text_labels = options.text_labels;
  start.layout.separator = csv_separator(text);
  CsvCells cells(text, start.layout.separator);
  Record first = next_record(cells);
  if (first.empty()) return start;
  const CsvPlace place = cells.place();
  start.layout.num_cells = first.size();
  start.header_bytes = cells.bytes_read();
  start.header_lines = cells.num_lines();
  start.has_header =
      options.header == CsvHeader::automatic
          ? has_all_of(first, options.feature_names) || names_columns(first, next_record(cells))
          : options.header == CsvHeader::yes;
  if (start.has_header) {
    check_names(first, place.line);
  } else {
    start.header_bytes = start.header_lines = 0;
    first.clear();
  }
  const std::size_t num_cells = start.layout.num_cells;
  const auto label = chosen_label_cell(first, num_cells, place, options, file);
  if (label && num_cells == 1)
    throw CsvMisread{place, "expected at least 2 cells, features and a label, got 1"};
  start.label_column = label_column_text(label, num_cells);
  if (label && start.has_header) start.label_column_name = first[*label];
  if (!options.labels_optional) start.layout.label = label;
  place_columns(label, first, options, file, start);
  return start;
}

}  // namespace asynprox
