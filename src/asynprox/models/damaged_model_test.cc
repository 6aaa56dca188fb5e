// Model files that are not as write_model left them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/temporary_folder_testing.h"
#include "asynprox/models/model_file.h"

namespace asynprox {
namespace {

constexpr std::string_view kGood = R"({
  "format": "asynprox-model", "format_version": 1, "version": "0.1.0",
  "loss": "logistic", "regularizer": "l1:1e-4", "normalize_rows": false,
  "labels": {"negative": -1, "positive": 1, "one_against_rest": false},
  "picture": {"height": 2, "width": 3},
  "dimension": 6,
  "x": {"indices": [2, 4], "values": [0.5, -2]}
}
)";

// The good file with one piece replaced.
std::string with(std::string_view piece, std::string_view replacement) {
  std::string text(kGood);
  const std::size_t start = text.find(piece);
  EXPECT_NE(start, std::string::npos) << piece;
  return text.replace(start, piece.size(), replacement);
}

// The message of a DataError for a file of this text, without the folder.
std::string error_in(const TemporaryFolder& folder, std::string_view text) {
  // Some file systems are slow to write a file anew that is there.
  std::filesystem::remove(folder.path("m.json"));
  const std::string path = folder.write("m.json", text);
  try {
    read_model(path);
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(path + ": ")) << message;
    return message.substr(path.size() - std::string_view("m.json").size());
  }
  return "no error";
}

std::string error_of(std::string_view text) { return error_in(TemporaryFolder(), text); }

TEST(DamagedModel, GivesAModelOrADataErrorWhicheverBytesChange) {
  const TemporaryFolder folder;
  const Random random(5);
  std::uint64_t draw = 0;
  int models = 0, errors = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text(kGood);
    for (std::uint64_t changes = 1 + random.index_at(draw++, 3); changes > 0; --changes) {
      char& byte = text[random.index_at(draw++, text.size())];
      // Half of the time a byte of the file itself, which more often is still JSON.
      byte = random.index_at(draw++, 2) == 0 ? static_cast<char>(random.at(draw++) & 0xff)
                                             : kGood[random.index_at(draw++, kGood.size())];
    }
    ++(error_in(folder, text) == "no error" ? models : errors);
  }
  EXPECT_GT(models, 10);
  EXPECT_GT(errors, 1000);
}

TEST(DamagedModel, IsADataErrorWhereverItIsCut) {
  const TemporaryFolder folder;
  const std::size_t last_brace = kGood.rfind('}');
  for (std::size_t size = 0; size <= last_brace; ++size)
    EXPECT_EQ(error_in(folder, kGood.substr(0, size)),
              fmt::format("m.json: expected JSON, got the end of the file at byte {}", size + 1));
}

TEST(DamagedModel, SaysAtWhichByteItStopsBeingJson) {
  EXPECT_EQ(error_of("{\"format\"= 1}"), "m.json: expected JSON, got '= 1}' at byte 10");
  EXPECT_EQ(error_of(std::string(kGood) + "x"),
            fmt::format("m.json: expected JSON, got 'x' at byte {}", kGood.size() + 1));
}

TEST(DamagedModel, IsAbsentOrAFolder) {
  const TemporaryFolder folder;
  const auto message_of = [](const std::string& path) -> std::string {
    try {
      read_model(path);
    } catch (const DataError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message_of(folder.path("m.json")), folder.path("m.json") + ": no such file");
  EXPECT_EQ(message_of(folder.path("")), folder.path("") + ": expected a file, got a directory");
}

TEST(DamagedModel, IsNotAModelAtAll) {
  EXPECT_EQ(error_of("[1, 2]"), "m.json: expected an asynprox model, got a list of 2");
  const std::string expected =
      "m.json: expected an asynprox model, with a field 'format' of 'asynprox-model', got ";
  EXPECT_EQ(error_of("{}"), expected + "none");
  EXPECT_EQ(error_of("{\"format\": \"asynprox-run\"}"), expected + "'asynprox-run'");
  EXPECT_EQ(error_of("{\"format\": 3}"), expected + "3");
}

TEST(DamagedModel, IsOfAnotherFormatVersion) {
  const std::string expected = "m.json: format_version: expected 1 to 4, got ";
  const auto error_of_version = [](std::string_view version) {
    return error_of(with("version\": 1", fmt::format("version\": {}", version)));
  };
  EXPECT_EQ(error_of_version("5"), expected + "5: the file was written by a newer asynprox");
  EXPECT_EQ(error_of_version("0"), expected + "0");
  EXPECT_EQ(error_of_version("1.0"), expected + "1.0");
  EXPECT_EQ(error_of_version("\"1\""), expected + "'1'");
  EXPECT_EQ(error_of("{\"format\": \"asynprox-model\"}"), expected + "null");
}

TEST(DamagedModel, HasFieldsTooManyOrTooFew) {
  EXPECT_EQ(error_of(with("\"loss\": \"logistic\", ", "")),
            "m.json: expected a field 'loss', got none");
  EXPECT_EQ(error_of(with("\"loss\"", "\"los\"")),
            "m.json: expected the fields format, format_version, version, loss, regularizer, "
            "normalize_rows, labels, picture, dimension, x, got another, 'los' (did you mean "
            "'loss'?)");
  EXPECT_EQ(error_of(with("\"height\": 2", "\"depth\": 1, \"height\": 2")),
            "m.json: picture: expected the fields height, width, got another, 'depth'");
  EXPECT_EQ(error_of(with("\"positive\": 1, ", "")),
            "m.json: labels: expected a field 'positive', got none");
  EXPECT_EQ(error_of(with("\"loss\"", "\"loss\": \"pca\", \"loss\"")),
            "m.json: expected each field once, got 'loss' twice");
  EXPECT_EQ(error_of(with("\"height\": 2", "\"height\": 1, \"height\": 2")),
            "m.json: expected each field once, got 'height' twice");
}

TEST(DamagedModel, HasFieldsOfTheWrongType) {
  EXPECT_EQ(error_of(with("\"logistic\"", "3")), "m.json: loss: expected text, got 3");
  EXPECT_EQ(error_of(with("\"0.1.0\"", "null")), "m.json: version: expected text, got null");
  EXPECT_EQ(error_of(with("\"normalize_rows\": false", "\"normalize_rows\": 0")),
            "m.json: normalize_rows: expected true or false, got 0");
  EXPECT_EQ(error_of(with("\"negative\": -1", "\"negative\": \"no\"")),
            "m.json: labels: negative: expected a finite number, got 'no'");
  EXPECT_EQ(error_of(with("{\"height\": 2, \"width\": 3}", "[2, 3]")),
            "m.json: picture: expected an object, got a list of 2");
  EXPECT_EQ(error_of(with("\"width\": 3", "\"width\": 3.5")),
            "m.json: picture: width: expected a whole number from 0 to 2147483647, got 3.5");
  EXPECT_EQ(error_of(with("6,", "-6,")),
            "m.json: dimension: expected a whole number from 0 to 4294967296, got -6");
  EXPECT_EQ(error_of(with("6,", "4294967297,")),
            "m.json: dimension: expected a whole number from 0 to 4294967296, got 4294967297");
}

TEST(DamagedModel, HasCoefficientsThatDoNotFit) {
  const auto error_of_x = [](std::string_view x) {
    return error_of(with("{\"indices\": [2, 4], \"values\": [0.5, -2]}", x));
  };
  EXPECT_EQ(error_of_x("[1, 2, 3, 4, 5]"), "m.json: x: expected a list of 6, got a list of 5");
  EXPECT_EQ(error_of_x("[1, 2, 3, 4, 5, null]"),
            "m.json: x[5]: expected a finite number, got null");
  EXPECT_EQ(error_of_x("7"), "m.json: x: expected an object, got 7");
  EXPECT_EQ(error_of_x("{\"indices\": 7, \"values\": []}"),
            "m.json: x: indices: expected a list, got 7");
  EXPECT_EQ(error_of_x("{\"indices\": [1, 2], \"values\": [1]}"),
            "m.json: x: values: expected a list of 2, got a list of 1");
  EXPECT_EQ(error_of_x("{\"indices\": [1, 2], \"values\": [1, \"inf\"]}"),
            "m.json: x: values[1]: expected a finite number, got 'inf'");
}

TEST(DamagedModel, HasASizeThatIsNotItsDimension) {
  const std::string sized = with("{\"indices\"", "{\"size\": 6, \"indices\"");
  EXPECT_EQ(error_of(sized), "no error");
  for (const std::string_view wrong : {"5", "7", "60", "4294967296"}) {
    std::string text = sized;
    text.replace(text.find("\"dimension\": 6") + 13, 1, wrong);
    EXPECT_EQ(error_of(text),
              fmt::format("m.json: x: size: expected {}, by the dimension, got 6", wrong));
  }
  EXPECT_EQ(error_of(with("{\"indices\"", "{\"size\": \"6\", \"indices\"")),
            "m.json: x: size: expected 6, by the dimension, got '6'");
}

// A file of a few bytes does not ask for gigabytes of zeros.
TEST(DamagedModel, HasMoreZerosThanItsNonzerosGiveReasonFor) {
  for (const auto& [dimension, nonzeros] :
       {std::pair("134217729", "128"), {"268435456", "256"}, {"4294967296", "4096"}}) {
    const std::string text = with("\"dimension\": 6", fmt::format("\"dimension\": {}", dimension));
    EXPECT_EQ(error_of(text),
              fmt::format("m.json: dimension: expected at least {} nonzeros among {} coefficients, "
                          "got 2",
                          nonzeros, dimension));
  }
}

TEST(DamagedModel, IsNestedTooDeep) {
  const auto nested = [](int depth) {
    return with("\"dimension\": 6",
                "\"dimension\": " + std::string(depth, '[') + "6" + std::string(depth, ']'));
  };
  EXPECT_EQ(error_of(nested(63)),
            "m.json: dimension: expected a whole number from 0 to 4294967296, got a list of 1");
  EXPECT_TRUE(error_of(nested(64)).starts_with("m.json: expected JSON of at most 64 levels, got "));
  EXPECT_TRUE(error_of(nested(200'000)).starts_with("m.json: expected JSON of at most 64 levels"));
}

TEST(DamagedModel, HasALabelColumnThatIsNone) {
  const auto error_of_column = [](std::string_view column) {
    std::string text = with("version\": 1", "version\": 3");
    return error_of(
        text.insert(text.find("\"dimension\""), fmt::format("\"label_column\": {}, ", column)));
  };
  EXPECT_EQ(error_of_column("\"2\""), "no error");
  EXPECT_EQ(error_of_column("\"none\""), "no error");
  EXPECT_EQ(error_of_column("2"), "m.json: label_column: expected text, got 2");
  EXPECT_EQ(error_of_column("\"last\""),
            "m.json: label_column: expected a whole number of at least 1, or none, got 'last'");
}

TEST(DamagedModel, HasALabelColumnNameOfVersionFour) {
  const auto error_of_name = [](int version, std::string_view name) {
    std::string text = with("version\": 1", fmt::format("version\": {}", version));
    return error_of(
        text.insert(text.find("\"dimension\""), fmt::format("\"label_column_name\": {}, ", name)));
  };
  EXPECT_EQ(error_of_name(4, "\"kind\""), "no error");
  EXPECT_EQ(error_of_name(4, "2"), "m.json: label_column_name: expected text, got 2");
  EXPECT_TRUE(error_of_name(3, "\"kind\"").starts_with("m.json: expected the fields format, "));
}

TEST(DamagedModel, HasACenterThatDoesNotFit) {
  const auto error_of_center = [](std::string_view center) {
    return error_of(with("\"dimension\"", fmt::format("\"center\": {}, \"dimension\"", center)));
  };
  EXPECT_EQ(error_of_center("[1, 2, 3, 4, 5, 6]"), "no error");
  EXPECT_EQ(error_of_center("{\"indices\": [5], \"values\": [1]}"), "no error");
  EXPECT_EQ(error_of_center("[1, 2]"), "m.json: center: expected a list of 6, got a list of 2");
  EXPECT_EQ(error_of_center("null"), "m.json: center: expected an object, got null");
  EXPECT_EQ(error_of_center("[1, 2, 3, 4, 5, true]"),
            "m.json: center[5]: expected a finite number, got true");
}

// The good file, which has 6 features, of version 2 and with one field more.
std::string with_field(std::string_view name, std::string_view value) {
  std::string text = with("version\": 1", "version\": 2");
  const std::string_view place = "\"dimension\"";
  return text.insert(text.find(place), fmt::format("\"{}\": {}, ", name, value));
}

TEST(DamagedModel, HasFieldsOfVersionTwoThatDoNotFit) {
  const auto error_with = [](std::string_view name, std::string_view value) {
    return error_of(with_field(name, value));
  };
  EXPECT_EQ(error_with("intercept", "[1]"), "no error");
  EXPECT_EQ(error_with("intercept", "[1, 2]"),
            "m.json: intercept: expected a list of 1, got a list of 2");
  EXPECT_EQ(error_with("intercept", "7"), "m.json: intercept: expected a list of 1, got 7");
  EXPECT_EQ(error_with("column_scale", "[1, 2, 3, 4, 5, 6]"), "no error");
  EXPECT_EQ(error_with("column_scale", "[1]"),
            "m.json: column_scale: expected a list of 6, got a list of 1");
  EXPECT_EQ(error_with("column_scale", "[1, 2, 3, 0, 5, 6]"),
            "m.json: column_scale[3]: expected a number above 0, got 0");
  EXPECT_EQ(error_with("column_scale", "[1, 2, 3, 4, 5, -1]"),
            "m.json: column_scale[5]: expected a number above 0, got -1");
  // What is not written is zero.
  EXPECT_EQ(error_with("column_scale", R"({"indices": [0, 1], "values": [1, 2]})"),
            "m.json: column_scale[2]: expected a number above 0, got 0");
  EXPECT_EQ(error_with("outputs", "1"), "no error");
  EXPECT_EQ(error_with("outputs", "0"), "m.json: outputs: expected at least 1, got 0");
  EXPECT_EQ(error_with("outputs", "2147483648"),
            "m.json: outputs: expected at most 2^32 coefficients in all, got 6 of 2147483648");
  EXPECT_EQ(error_with("outputs", "\"two\""),
            "m.json: outputs: expected a whole number from 0 to 2147483648, got 'two'");
  EXPECT_EQ(error_with("classes", "[1]"),
            "m.json: classes: expected 0 for the loss logistic, got 1");
  EXPECT_EQ(error_with("label_names", "[\"a\", 3]"),
            "m.json: label_names[1]: expected text, got 3");
  EXPECT_EQ(error_with("label_names", "{}"), "m.json: label_names: expected a list, got an object");
  EXPECT_EQ(error_with("label_names", "[\"a\", \"b\"]"),
            "m.json: label_names: expected one for the label -1, got those of 0 to 1");
  EXPECT_EQ(error_with("feature_names", "[\"a\"]"),
            "m.json: feature_names: expected 6 names, one per feature, got 1");
  EXPECT_TRUE(error_of(with("\"dimension\"", "\"intercept\": [1], \"dimension\""))
                  .starts_with("m.json: expected the fields format, "))
      << "version 1 has no intercept";
}

TEST(DamagedModel, HasIndicesThatRepeatFallOrLeadNowhere) {
  const auto error_of_indices = [](std::string_view indices) {
    return error_of(with("[2, 4]", indices));
  };
  EXPECT_EQ(error_of_indices("[2, 2]"),
            "m.json: x: indices[1]: expected a whole number of at least 3 and below 6, got 2");
  EXPECT_EQ(error_of_indices("[4, 2]"),
            "m.json: x: indices[1]: expected a whole number of at least 5 and below 6, got 2");
  EXPECT_EQ(error_of_indices("[2, 6]"),
            "m.json: x: indices[1]: expected a whole number of at least 3 and below 6, got 6");
  EXPECT_EQ(error_of_indices("[-1, 4]"),
            "m.json: x: indices[0]: expected a whole number of at least 0 and below 6, got -1");
  EXPECT_EQ(error_of_indices("[2.0, 4]"),
            "m.json: x: indices[0]: expected a whole number of at least 0 and below 6, got 2.0");
}

TEST(DamagedModel, HasNumbersThatAreNotFinite) {
  EXPECT_EQ(error_of(with("-2]", "-1e999]")), "m.json: expected finite numbers, got '-1e999'");
  EXPECT_TRUE(error_of(with("-2]", "NaN]")).starts_with("m.json: expected JSON, got 'N"));
}

TEST(DamagedModel, HasValuesThatNoModelHas) {
  EXPECT_TRUE(error_of(with("\"logistic\"", "\"logistik\""))
                  .starts_with("m.json: loss: no loss 'logistik' (did you mean 'logistic'?)"));
  EXPECT_EQ(error_of(with("\"logistic\"", "\"huber:delta=-1\"")),
            "m.json: loss: huber: delta: expected > 0, got -1");
  EXPECT_TRUE(error_of(with("\"l1:1e-4\"", "\"\"")).starts_with("m.json: regularizer: "));
  EXPECT_EQ(error_of(with("\"logistic\"", "\"squared\"")),
            "m.json: labels: expected none for the loss squared, got two");
  EXPECT_EQ(
      error_of(with("{\"negative\": -1, \"positive\": 1, \"one_against_rest\": false}", "null")),
      "m.json: labels: expected two for the loss logistic, got none");
  EXPECT_EQ(error_of(with("-1,", "1,")),
            "m.json: labels: expected two different ones, got 1 twice");
  EXPECT_EQ(error_of(with("\"width\": 3", "\"width\": 0")),
            "m.json: picture: expected a height and a width of at least 1, got 2 and 0");
}

TEST(DamagedModel, IsMadeFromOneThatIsGood) { EXPECT_EQ(error_of(kGood), "no error"); }

TEST(DamagedModel, IsRefusedWhereItIsLargerThanTheCallerAllows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.json", kGood);
  EXPECT_EQ(read_model_within(path, 6).x, read_model(path).x);
  EXPECT_THROW(read_model_within(path, 5), DataError);
}

}  // namespace
}  // namespace asynprox
