#include "asynprox/data/readers/ratings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/line_blocks.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/data/readers/utf8.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/linalg/rows_builder.h"

namespace asynprox {
namespace {

constexpr std::size_t kBlockBytes = 1 << 16;
constexpr Key kNoColumn = std::numeric_limits<Key>::max();
constexpr std::string_view kUser = "user:", kItem = "item:";

std::string_view without_line_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  return line;
}

char separator_of(std::string_view line) {
  return line.find('\t') != std::string_view::npos ? '\t' : ',';
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

// Both from 1.
struct Place {
  std::size_t line, field;
};

// Cuts lines into fields, and says where something is wrong.
class LineReader {
 public:
  LineReader(const std::string& file, char separator) : file_(file), separator_(separator) {}

  std::vector<std::string> fields(std::string_view line, std::size_t line_number) const {
    std::vector<std::string> fields;
    for (std::size_t at = 0; at <= line.size();) {
      const Place place = {line_number, fields.size() + 1};
      const bool quoted = separator_ == ',' && at < line.size() && line[at] == '"';
      fields.push_back(quoted ? quoted_field(line, place, at) : plain_field(line, at));
    }
    return fields;
  }

  [[noreturn]] void fail(Place place, std::string_view expected, std::string_view got) const {
    throw DataError(fmt::format("{}:{}:{}: expected {}, got {}", file_, place.line, place.field,
                                expected, got));
  }

 private:
  // Both begin at `at`, and leave it behind the separator.
  std::string plain_field(std::string_view line, std::size_t& at) const {
    const std::size_t end = std::min(line.find(separator_, at), line.size());
    std::string text = trimmed(line.substr(at, end - at));
    at = end + 1;
    return text;
  }
  std::string quoted_field(std::string_view line, Place place, std::size_t& at) const {
    const std::size_t begin = at;
    std::string text;
    for (++at; at < line.size(); ++at) {
      if (line[at] != '"') {
        text += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        text += line[at++];
      } else {
        if (at + 1 < line.size() && line[at + 1] != separator_)
          fail(place, "a comma behind the quotes", quoted_token(line.substr(at + 1)));
        at += 2;
        return text;
      }
    }
    fail(place, "a closing quote on the same line", quoted_token(line.substr(begin)));
  }

  const std::string& file_;
  char separator_;
};

// From spelling to number, as they come or as they are known.
class NumberedNames {
 public:
  void know(std::string_view name) { numbers_.emplace(name, static_cast<Key>(numbers_.size())); }
  Key number(const std::string& name, bool may_add) {
    const auto place = numbers_.find(name);
    if (place != numbers_.end()) return place->second;
    if (!may_add) return kNoColumn;
    const Key number = static_cast<Key>(numbers_.size());
    numbers_.emplace(name, number);
    return number;
  }
  std::size_t size() const { return numbers_.size(); }
  void list(std::string_view kind, std::span<std::string> out) const {
    for (const auto& [name, number] : numbers_) out[number] = std::string(kind) + name;
  }

 private:
  std::unordered_map<std::string, Key> numbers_;
};

class RatingsReader {
 public:
  RatingsReader(const std::string& file, const RatingsOptions& options)
      : file_(file),
        known_(!options.feature_names.empty()),
        rating_optional_(options.rating_optional) {
    if (!known_) return;
    const auto& [num_users, num_items] = options.shape;
    require(options.feature_names.size() == num_users + num_items,
            "ratings: expected one name for each user and each item");
    const auto know = [&](std::size_t j, std::string_view kind, NumberedNames& names) {
      const std::string_view name = options.feature_names[j];
      require(name.starts_with(kind),
              fmt::format("ratings: expected a name that begins with {}, got {}", kind, name));
      names.know(name.substr(kind.size()));
    };
    for (std::size_t j = 0; j < num_users; ++j) know(j, kUser, users_);
    for (std::size_t j = num_users; j < num_users + num_items; ++j) know(j, kItem, items_);
    require(users_.size() == num_users && items_.size() == num_items,
            "ratings: expected every user and item to have a name of its own");
  }

  void take(std::string_view line) {
    ++line_number_;
    line = without_line_end(line);
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    const bool first = !separator_;
    if (first) separator_ = separator_of(line);
    const LineReader reader(file_, *separator_);
    const std::vector<std::string> fields = reader.fields(line, line_number_);
    const bool unrated = rating_optional_ && fields.size() == 2;
    if (!unrated && (fields.size() < 3 || fields.size() > 4))
      reader.fail({line_number_, 1},
                  fmt::format("user, item, rating and maybe a time between {}",
                              separator_ == '\t' ? "tabs" : "commas or tabs"),
                  fmt::format("{} field{}", fields.size(), fields.size() == 1 ? "" : "s"));
    const NumberToken rating =
        unrated ? NumberToken{0, NumberToken::Kind::finite} : number_token(fields[2]);
    if (first && rating.kind == NumberToken::Kind::not_a_number) return;  // a header
    for (const std::size_t i : {0, 1})
      if (fields[i].empty() || !is_utf8(fields[i]))
        reader.fail({line_number_, i + 1},
                    fmt::format("{}{}", i == 0 ? "a user" : "an item",
                                fields[i].empty() ? "" : " in UTF-8"),
                    fields[i].empty() ? "nothing" : quoted_token(fields[i]));
    if (rating.kind != NumberToken::Kind::finite)
      reader.fail({line_number_, 3}, "a rating, a finite number",
                  fields[2].empty() ? "nothing" : quoted_token(fields[2]));
    rows_.push_back({users_.number(fields[0], !known_), items_.number(fields[1], !known_)});
    labels_.push_back(rating.value);
  }

  Dataset finish(const RatingsOptions& options) && {
    if (labels_.empty()) throw DataError(file_ + ": expected ratings, got none");
    Dataset data;
    data.name = file_;
    const RatingsShape shape = {users_.size(), items_.size()};
    data.ratings = shape;
    data.feature_names = options.feature_names;
    if (!known_) {
      data.feature_names.resize(users_.size() + items_.size());
      users_.list(kUser, std::span(data.feature_names).first(users_.size()));
      items_.list(kItem, std::span(data.feature_names).subspan(users_.size()));
    }
    CsrMatrix matrix;
    for (const Pair& row : rows_) {
      if (row.user != kNoColumn) matrix.columns.push_back(row.user);
      if (row.item != kNoColumn)
        matrix.columns.push_back(static_cast<Key>(shape.num_users) + row.item);
      matrix.offsets.push_back(matrix.columns.size());
    }
    matrix.values.assign(matrix.columns.size(), 1.0);
    RowsBuilder builder;
    builder.add(matrix);
    data.rows = std::move(builder).build(shape.num_users + shape.num_items);
    data.labels = std::move(labels_);
    return data;
  }

 private:
  struct Pair {
    Key user, item;
  };

  const std::string& file_;
  bool known_, rating_optional_;
  std::optional<char> separator_;
  std::size_t line_number_ = 0;
  NumberedNames users_, items_;
  std::vector<Pair> rows_;
  Vector labels_;
};

void for_each_line(std::string_view text, auto&& work) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    work(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

Dataset read_ratings(const std::string& path, const RatingsOptions& options) {
  InputStream stream(path);
  skip_byte_order_mark(stream);
  LineBlocks blocks(stream, kBlockBytes);
  RatingsReader reader(stream.name(), options);
  for (std::string block = blocks.next(); !block.empty(); block = blocks.next())
    for_each_line(block, [&](std::string_view line) { reader.take(line); });
  return std::move(reader).finish(options);
}

void for_each_rating(const Dataset& ratings,
                     const std::function<void(std::size_t, Key user, Key item)>& work) {
  require(ratings.ratings.has_value(),
          ratings.name + ": expected ratings (user, item, rating), got other data");
  const std::size_t num_users = ratings.ratings->num_users;
  walk_rows(ratings.rows, [&](std::size_t i, std::span<const RowEntry> entries) {
    const bool whole = entries.size() == 2 && entries[0].value == 1 && entries[1].value == 1 &&
                       entries[0].column < num_users && entries[1].column >= num_users;
    require(whole, fmt::format("{}: row {}: expected a one for a user and a one for an item",
                               ratings.name, i + 1));
    work(i, entries[0].column, static_cast<Key>(entries[1].column - num_users));
  });
}

}  // namespace asynprox
