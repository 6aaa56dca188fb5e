// A problem as a value: which data, how it is read and treated, and what is minimised. Another
// process that can read the data builds the same problem from it. A new option is a field and its
// declaration here; JSON, the command line and the documentation follow from the declaration.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "asynprox/base/fields.h"
#include "asynprox/base/option.h"
#include "asynprox/run/option_groups.h"

namespace asynprox {

inline constexpr std::array<std::string_view, 3> kHeaderWords = {"auto", "yes", "no"};
inline constexpr std::array<std::string_view, 2> kNormalizeWords = {"none", "rows"};
inline constexpr std::array<std::string_view, 2> kStandardizeWords = {"none", "columns"};
inline constexpr std::array<std::string_view, 2> kClassWeightWords = {"none", "balanced"};

// Where data is, and how it is read.
struct DataSpec {
  std::string path = {};
  std::optional<std::size_t> dimension = {};
  bool zero_based = false;
  bool ratings = false;
  std::optional<std::string> labels = {};
  std::optional<std::string> label_column = {};
  std::string header = "auto";

  static constexpr auto options() {
    return std::tuple(group(
        "Data", kDataCommands,
        option(&DataSpec::dimension, "dimension", Whole{.least = 0}, "number of features",
               "the largest column of the file"),
        option(&DataSpec::zero_based, "zero_based", Flag{},
               "columns of LIBSVM text are counted from 0"),
        option(&DataSpec::ratings, "ratings", Flag{},
               "lines are user, item, rating, separated by tabs or commas (models of ratings "
               "imply this)"),
        option(&DataSpec::labels, "labels", AnyText{"FILE"}, "the labels of IDX pictures",
               "found beside the pictures"),
        option(&DataSpec::label_column, "label_column", AnyText{"NAME|NUMBER"},
               "the labels of CSV: a name in its header or a number from 1; none if it has "
               "none",
               "the last"),
        option(&DataSpec::header, "header", Words{kHeaderWords}, "whether CSV begins with names")));
  }
};

struct ProblemSpec {
  DataSpec data = {};
  std::optional<std::string> positive_label = {};
  std::optional<std::string> loss = {};
  std::string model = "linear";
  std::string regularizer = "zero";
  std::string normalize = "none";
  std::string standardize = "none";
  bool center = false;
  bool intercept = false;
  std::optional<std::string> weights = {};
  std::string class_weight = "none";
  std::optional<double> holdout = {};
  std::optional<std::string> start = {};

  static constexpr auto options() {
    return std::tuple(
        group("Problem", kRunCommands,
              option(&ProblemSpec::model, "model", AnyText{"SPEC"}, "see 'asynprox list models'"),
              option(&ProblemSpec::loss, "loss", AnyText{"SPEC"}, "see 'asynprox list losses'",
                     "from the labels"),
              option(&ProblemSpec::regularizer, "regularizer", AnyText{"SPEC"},
                     "see 'asynprox list regularizers'; a strength may be a share of the largest "
                     "useful one, at which all coefficients are zero: l1:0.1max"),
              option(&ProblemSpec::positive_label, "positive_label", AnyText{"LABEL"},
                     "the label that is +1; of more than two labels, that one against the rest",
                     "the larger of two, or the later text"),
              option(&ProblemSpec::normalize, "normalize", Words{kNormalizeWords},
                     "rows: scale each sample to length 1"),
              option(&ProblemSpec::standardize, "standardize", Words{kStandardizeWords},
                     "columns: divide each by its standard deviation, after --normalize"),
              option(&ProblemSpec::center, "center", Flag{},
                     "subtract its mean from every column, after these two; data stays sparse"),
              option(&ProblemSpec::intercept, "intercept", Flag{},
                     "fit an intercept too, which the regularizer does not see"),
              option(&ProblemSpec::weights, "weights", AnyText{"FILE"},
                     "weights of the samples, one number per line", "1 each"),
              option(&ProblemSpec::class_weight, "class_weight", Words{kClassWeightWords},
                     "balanced: every class counts the same, however many samples it has"),
              option(&ProblemSpec::start, "start", AnyText{"NAME|FILE"},
                     "first model: zeros, uniform (1/sqrt(d)), random, the model.json of another "
                     "run, or a file, one number per line",
                     "zeros, or uniform for pca"),
              option(&ProblemSpec::holdout, "holdout", any_number(),
                     "evaluate on this share of the samples, chosen by the seed, and do not fit "
                     "them",
                     "none")));
  }
};

template <IsA<DataSpec> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("path", part.path);
  visit_option_fields(part, visit);
}

template <IsA<ProblemSpec> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("data", part.data);
  visit_option_fields(part, visit);
}

}  // namespace asynprox
