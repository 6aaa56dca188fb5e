#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <set>
#include <stdexcept>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/base/suggest.h"
#include "asynprox/data/binary/mapped_file.h"
#include "asynprox/data/readers/input_stream.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/models/kinds.h"
#include "asynprox/models/model_file.h"

namespace asynprox {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "asynprox-model";
constexpr std::int64_t kFormatVersionMax = 4;
constexpr std::uint64_t kDimensionMax = std::uint64_t{1} << 32;
constexpr std::uint64_t kOutputsMax = std::uint64_t{1} << 31;
constexpr std::size_t kModelBytesMax = std::size_t{4} << 30;
constexpr std::size_t kPackedModelBytesMax = std::size_t{1} << 30;

// Numbers that are stored by their nonzeros may be this many; of more, one in kZerosPerNonzero is
// to be a nonzero. A file of a few bytes then does not take gigabytes.
constexpr std::uint64_t kMostlyZerosMax = std::uint64_t{1} << 27;
constexpr std::uint64_t kZerosPerNonzero = std::uint64_t{1} << 20;

[[noreturn]] void fail(const std::string& where, std::string_view expected, std::string_view got) {
  throw DataError(fmt::format("{}: expected {}, got {}", where, expected, got));
}

// A value as messages show it.
std::string shown(const Json& value) {
  if (value.is_string()) return quoted_token(value.get_ref<const std::string&>());
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_object()) return "an object";
  return value.dump();
}

// Told by the first piece, so that a large file of something else is not read to its end.
void check_start(std::string_view piece, const std::string& path) {
  const std::size_t first = std::min(piece.find_first_not_of(" \t\r\n"), piece.size());
  constexpr std::string_view kStarts = "{[\xef";  // the last: of a byte order mark
  if (first < piece.size() && kStarts.find(piece[first]) == kStarts.npos)
    fail(path, "JSON that begins with '{'", quoted_token(piece.substr(first)));
}

// A few bytes may unpack to any number of them.
std::string all_bytes(const std::string& path) {
  constexpr std::size_t kPiece = 1 << 17;
  InputStream stream(path);
  const std::size_t bytes_max = stream.packed() ? kPackedModelBytesMax : kModelBytesMax;
  std::string bytes;
  for (std::size_t read = kPiece; read == kPiece;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    read = stream.read(std::span(bytes).subspan(before));
    bytes.resize(before + read);
    if (before == 0 && read == kPiece) check_start(bytes, path);
    if (bytes.size() > bytes_max)
      fail(path,
           fmt::format("a model of at most {} GiB{}", bytes_max >> 30,
                       stream.packed() ? " when it is unpacked" : ""),
           "more");
  }
  return bytes;
}

// Finds a name that an object gives twice, of which nlohmann::json would silently take the last.
// A pass of its own, since a callback for Json::parse takes quadratic time: at the end of every
// object that parser scans all earlier elements of the list around it.
class RepeatedNames : public nlohmann::json_sax<Json> {
 public:
  explicit RepeatedNames(const std::string& path) : path_(path) {}

  bool start_object(std::size_t /*size*/) override {
    names_.emplace_back();
    return true;
  }
  bool key(std::string& name) override {
    if (names_.back().insert(name).second) return true;
    fail(path_, "each field once", quoted_token(name) + " twice");
  }
  bool end_object() override {
    names_.pop_back();
    return true;
  }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(std::int64_t /*value*/) override { return true; }
  bool number_unsigned(std::uint64_t /*value*/) override { return true; }
  bool number_float(double /*value*/, const std::string& /*text*/) override { return true; }
  bool string(std::string& /*value*/) override { return true; }
  bool binary(Json::binary_t& /*value*/) override { return true; }
  bool start_array(std::size_t /*size*/) override { return true; }
  bool end_array() override { return true; }

  // Ends this pass; Json::parse comes to the same place, and says more of it.
  bool parse_error(std::size_t /*position*/, const std::string& /*last_token*/,
                   const Json::exception& /*error*/) override {
    return false;
  }

 private:
  const std::string& path_;
  std::vector<std::set<std::string>> names_;  // of the objects that are open
};

Json parsed_file(const std::string& path) {
  const std::string bytes = all_bytes(path);
  check_json_depth(bytes, path);
  try {
    RepeatedNames repeated(path);
    Json::sax_parse(bytes, &repeated);
    return Json::parse(bytes);
  } catch (const Json::parse_error& error) {
    const std::size_t before = std::max<std::size_t>(error.byte, 1) - 1;
    const bool at_end = before >= bytes.size();
    fail(path, "JSON",
         fmt::format("{} at byte {}",
                     at_end ? "the end of the file" : quoted_token(bytes.substr(before)),
                     error.byte));
  } catch (const Json::out_of_range& error) {
    // Its message ends with the number in quotes.
    const std::string_view reason = error.what();
    const std::size_t start = std::min(reason.find('\''), reason.size() - 1) + 1;
    fail(path, "finite numbers", quoted_token(reason.substr(start, reason.size() - start - 1)));
  }
}

// One object of the file, whose fields are all known and all there.
class Fields {
 public:
  Fields(const Json& object, std::string where, const std::vector<std::string>& names)
      : object_(object), where_(std::move(where)) {
    if (!object.is_object()) fail(where_, "an object", shown(object));
    for (const auto& field : object.items()) {
      if (std::ranges::find(names, field.key()) != names.end()) continue;
      fail(where_, "the fields " + joined(names),
           "another, " + quoted_token(field.key()) + did_you_mean(field.key(), names));
    }
    for (const std::string& name : names)
      if (!object.contains(name)) fail(where_, "a field '" + name + "'", "none");
  }

  bool has(const char* name) const { return object_.contains(name); }
  const Json& at(const char* name) const { return object_.at(name); }
  std::string where(std::string_view name) const { return fmt::format("{}: {}", where_, name); }

  std::string text(const char* name) const {
    if (!at(name).is_string()) fail(where(name), "text", shown(at(name)));
    return at(name).get<std::string>();
  }

  std::string text_if_there(const char* name) const { return has(name) ? text(name) : ""; }

  bool truth(const char* name) const {
    if (!at(name).is_boolean()) fail(where(name), "true or false", shown(at(name)));
    return at(name).get<bool>();
  }

  double number(const char* name) const {
    if (!at(name).is_number()) fail(where(name), "a finite number", shown(at(name)));
    return at(name).get<double>();
  }

  std::uint64_t whole(const char* name, std::uint64_t max) const {
    const Json& value = at(name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max)
      fail(where(name), fmt::format("a whole number from 0 to {}", max), shown(value));
    return value.get<std::uint64_t>();
  }

  const Json& list(const char* name, std::size_t size) const {
    const Json& value = at(name);
    if (!value.is_array() || value.size() != size)
      fail(where(name), fmt::format("a list of {}", size), shown(value));
    return value;
  }

 private:
  const Json& object_;
  std::string where_;
};

void check_format(const Json& file, const std::string& path) {
  if (!file.is_object()) fail(path, "an asynprox model", shown(file));
  const Json format = file.value("format", Json());
  if (format != kFormat)
    fail(path, fmt::format("an asynprox model, with a field 'format' of '{}'", kFormat),
         format.is_null() ? "none" : shown(format));
  const Json version = file.value("format_version", Json());
  if (version.is_number_integer() && version >= 1 && version <= kFormatVersionMax) return;
  const bool newer = version.is_number_integer() && version > kFormatVersionMax;
  fail(path + ": format_version", fmt::format("1 to {}", kFormatVersionMax),
       shown(version) + (newer ? ": the file was written by a newer asynprox" : ""));
}

Vector numbers(const Json& list, const std::string& where) {
  Vector result;
  result.reserve(list.size());
  for (const Json& value : list) {
    if (!value.is_number())
      fail(fmt::format("{}[{}]", where, result.size()), "a finite number", shown(value));
    result.push_back(value.get<double>());
  }
  return result;
}

// As many as the file has a reason to ask for, and this machine has room for.
Vector zeros(std::size_t size, std::size_t nonzeros, const std::string& where) {
  if (size > kMostlyZerosMax && nonzeros < size / kZerosPerNonzero)
    fail(where,
         fmt::format("at least {} nonzeros among {} coefficients", size / kZerosPerNonzero, size),
         fmt::format("{}", nonzeros));
  const std::uint64_t size_max = memory_size() / 2 / sizeof(double);
  if (size > size_max)
    fail(where, fmt::format("at most {} coefficients, for half of the memory", size_max),
         fmt::format("{}", size));
  try {
    return Vector(size);
  } catch (const std::bad_alloc&) {
    fail(where, "a size that memory has room for", fmt::format("{}", size));
  }
}

Vector sparse_numbers(const Fields& fields, std::size_t size, const std::string& where_size) {
  const Json& indices = fields.at("indices");
  if (!indices.is_array()) fail(fields.where("indices"), "a list", shown(indices));
  const Vector values = numbers(fields.list("values", indices.size()), fields.where("values"));
  Vector x = zeros(size, values.size(), where_size);
  std::uint64_t lowest = 0;
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    const Json& index = indices[entry];
    const bool in_range = index.is_number_unsigned() && index.get<std::uint64_t>() >= lowest &&
                          index.get<std::uint64_t>() < x.size();
    if (!in_range)
      fail(fmt::format("{}[{}]", fields.where("indices"), entry),
           fmt::format("a whole number of at least {} and below {}", lowest, x.size()),
           shown(index));
    x[index.get<std::uint64_t>()] = values[entry];
    lowest = index.get<std::uint64_t>() + 1;
  }
  return x;
}

// `size` numbers, as a list or by the nonzeros; none where the field is not there.
Vector coefficients(const Fields& file, const char* name, std::size_t size) {
  if (!file.has(name)) return {};
  const Json& x = file.at(name);
  if (x.is_array()) return numbers(file.list(name, size), file.where(name));
  const bool sized = x.is_object() && x.contains("size");
  std::vector<std::string> parts = {"indices", "values"};
  if (sized) parts.emplace_back("size");
  const Fields fields(x, file.where(name), parts);
  if (sized && fields.at("size") != size)
    fail(fields.where("size"), fmt::format("{}, by the dimension", size), shown(fields.at("size")));
  return sparse_numbers(fields, size, file.where("dimension"));
}

// `size` numbers of a field that may not be there.
Vector numbers_if_there(const Fields& file, const char* name, std::size_t size) {
  if (!file.has(name)) return {};
  return numbers(file.list(name, size), file.where(name));
}

std::vector<std::string> names(const Fields& file, const char* name) {
  std::vector<std::string> result;
  if (!file.has(name)) return result;
  if (!file.at(name).is_array()) fail(file.where(name), "a list", shown(file.at(name)));
  for (const Json& value : file.at(name)) {
    if (!value.is_string())
      fail(fmt::format("{}[{}]", file.where(name), result.size()), "text", shown(value));
    result.push_back(value.get<std::string>());
  }
  return result;
}

std::optional<SignLabelNames> labels(const Fields& file) {
  if (file.at("labels").is_null()) return std::nullopt;
  const Fields fields(file.at("labels"), file.where("labels"),
                      {"negative", "positive", "one_against_rest"});
  return SignLabelNames{.negative = fields.number("negative"),
                        .positive = fields.number("positive"),
                        .one_against_rest = fields.truth("one_against_rest")};
}

std::optional<PictureShape> picture(const Fields& file) {
  if (file.at("picture").is_null()) return std::nullopt;
  const Fields fields(file.at("picture"), file.where("picture"), {"height", "width"});
  constexpr std::uint64_t kMax = std::numeric_limits<int>::max();
  return PictureShape{.height = static_cast<int>(fields.whole("height", kMax)),
                      .width = static_cast<int>(fields.whole("width", kMax))};
}

std::optional<RatingsShape> ratings(const Fields& file) {
  if (!file.has("ratings")) return std::nullopt;
  const Fields fields(file.at("ratings"), file.where("ratings"), {"users", "items"});
  return RatingsShape{.num_users = fields.whole("users", kOutputsMax),
                      .num_items = fields.whole("items", kOutputsMax)};
}

std::string at_most_in_all(std::uint64_t coefficients_max) {
  return coefficients_max == kDimensionMax
             ? "at most 2^32 coefficients in all"
             : fmt::format("at most {} coefficients in all", coefficients_max);
}

// How many numbers x has, of a model that is known.
std::size_t coefficients_wanted(const Fields& file, const std::string& model, std::size_t dimension,
                                std::size_t outputs, std::uint64_t coefficients_max) {
  try {
    const ModelKind kind = make_model_kind(parse_spec(model));
    const std::size_t count = num_coefficients(kind, {dimension, outputs, ratings(file)});
    if (count <= coefficients_max) return count;
    fail(file.where("model"), at_most_in_all(coefficients_max), fmt::format("{}", count));
  } catch (const ContractError& error) {
    throw DataError(file.where("model") + ": " + error.what());
  }
}

// What a file must have, and what it has of what it may have.
std::vector<std::string> fields_of(const Json& file) {
  std::vector<std::string> names = {
      "format",         "format_version", "version", "loss",      "regularizer",
      "normalize_rows", "labels",         "picture", "dimension", "x"};
  std::vector<std::string> optional = {"center"};
  if (file.at("format_version") > 1)
    optional.insert(optional.end(), {"outputs", "intercept", "column_scale", "classes",
                                     "label_names", "feature_names"});
  if (file.at("format_version") > 2)
    optional.insert(optional.end(), {"model", "ratings", "label_column"});
  if (file.at("format_version") > 3) optional.emplace_back("label_column_name");
  for (const std::string& name : optional)
    if (file.contains(name)) names.push_back(name);
  return names;
}

}  // namespace

FittedModel read_model(const std::string& path) { return read_model_within(path, kDimensionMax); }

FittedModel read_model_within(const std::string& path, std::uint64_t coefficients_max) {
  const Json json = parsed_file(path);
  check_format(json, path);
  const Fields file(json, path, fields_of(json));
  const std::uint64_t dimension = file.whole("dimension", coefficients_max);
  const std::uint64_t outputs = file.has("outputs") ? file.whole("outputs", kOutputsMax) : 1;
  if (outputs == 0) fail(file.where("outputs"), "at least 1", "0");
  if (dimension * outputs > coefficients_max)
    fail(file.where("outputs"), at_most_in_all(coefficients_max),
         fmt::format("{} of {}", dimension, outputs));
  const std::string kind = file.has("model") ? file.text("model") : "linear";
  const std::size_t count = coefficients_wanted(file, kind, dimension, outputs, coefficients_max);
  FittedModel model{.loss = file.text("loss"),
                    .regularizer = file.text("regularizer"),
                    .outputs = outputs,
                    .x = coefficients(file, "x", count),
                    .intercept = numbers_if_there(file, "intercept", outputs),
                    .normalize_rows = file.truth("normalize_rows"),
                    .column_scale = coefficients(file, "column_scale", dimension),
                    .center = coefficients(file, "center", dimension),
                    .labels = labels(file),
                    .classes = numbers_if_there(file, "classes", outputs),
                    .label_names = names(file, "label_names"),
                    .feature_names = names(file, "feature_names"),
                    .label_column = file.text_if_there("label_column"),
                    .label_column_name = file.text_if_there("label_column_name"),
                    .picture = picture(file),
                    .model = kind,
                    .features = kind == "linear" ? 0 : dimension,
                    .ratings = ratings(file),
                    .version = file.text("version")};
  naming<ContractError>(path, [&] { check_model(model); });
  return model;
}

}  // namespace asynprox
