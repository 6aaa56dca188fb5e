#include "asynprox/models/targets.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

using Names = std::vector<std::string>;

// Rows are empty: only labels matter.
Dataset data_of(Vector labels, Names names = {}) {
  const CsrMatrix matrix{.offsets = std::vector<std::uint64_t>(labels.size() + 1, 0)};
  return {.name = "test",
          .rows = Rows::narrowed(matrix),
          .labels = std::move(labels),
          .label_names = std::move(names)};
}

FittedModel class_model(Vector classes, Names names = {}) {
  return {.loss = "multinomial",
          .outputs = classes.size(),
          .classes = std::move(classes),
          .label_names = std::move(names)};
}

std::string error_of(const FittedModel& model, const Dataset& data) {
  try {
    Targets(model).of(data, /*samples_before=*/10);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Targets, OfSignsAreMatchedAsNumbers) {
  FittedModel model{.loss = "logistic", .labels = SignLabelNames{.negative = 7, .positive = 2}};
  EXPECT_EQ(Targets(model).of(data_of({2, 7, 7})), (Vector{1, -1, -1}));
  EXPECT_EQ(error_of(model, data_of({2, 3})),
            "test: sample 12: expected label 7 or 2 (the model's), got 3");
  model.labels->one_against_rest = true;
  EXPECT_EQ(Targets(model).of(data_of({2, 3, 7})), (Vector{1, -1, -1}));
}

TEST(Targets, OfClassesAreTheirPlaces) {
  const FittedModel model = class_model({5, -1, 0.5});
  EXPECT_EQ(Targets(model).of(data_of({0.5, 5, -1, 5})), (Vector{2, 0, 1, 0}));
  EXPECT_EQ(error_of(model, data_of({5, 4})),
            "test: sample 12: expected one of the model's 3 labels, 5, -1, 0.5, got 4");
  EXPECT_EQ(error_of(class_model({0, 1, 2, 3, 4, 5}), data_of({6})),
            "test: sample 11: expected one of the model's 6 labels, 0, 1, 2, 3, 4, ..., got 6");
}

// Each file numbers its labels by itself: the same number may be another label.
TEST(Targets, ThatAreTextAreMatchedBySpelling) {
  const FittedModel model = class_model({0, 1, 2}, {"cat", "dog", "owl"});
  EXPECT_EQ(Targets(model).of(data_of({0, 1, 0}, {"dog", "owl"})), (Vector{1, 2, 1}));
  EXPECT_EQ(error_of(model, data_of({1, 0}, {"ape", "owl"})),
            "test: sample 12: expected one of the model's 3 labels, 'cat', 'dog', 'owl', got "
            "'ape'");
  const FittedModel signs{.loss = "logistic",
                          .labels = SignLabelNames{.negative = 1, .positive = 0},
                          .label_names = {"no", "yes"}};
  EXPECT_EQ(Targets(signs).of(data_of({0, 1}, {"no", "yes"})), (Vector{1, -1}));
  EXPECT_EQ(error_of(signs, data_of({0}, {"maybe"})),
            "test: sample 11: expected label 'yes' or 'no' (the model's), got 'maybe'");
}

// A block of a file may have one label that is text, and others of the same file none.
TEST(Targets, OfAModelOfNumbersAreNumbersHoweverTheyAreSpelt) {
  const FittedModel classes = class_model({1, 2.5});
  EXPECT_EQ(Targets(classes).of(data_of({0, 1, 2}, {"1.0", "2.50", "25e-1"})), (Vector{0, 1, 1}));
  EXPECT_EQ(error_of(classes, data_of({0, 1}, {"1.0", "one"})),
            "test: sample 12: expected one of the model's 2 labels, 1, 2.5, got 'one'");
  FittedModel signs{.loss = "logistic", .labels = SignLabelNames{.negative = 0, .positive = 3}};
  signs.labels->one_against_rest = true;
  EXPECT_EQ(Targets(signs).of(data_of({0, 1, 2}, {"3.0", "cat", "3"})), (Vector{1, -1, 1}));
  const FittedModel squared{.loss = "squared"};
  EXPECT_EQ(Targets(squared).of(data_of({1, 0}, {"1.5", "2"})), (Vector{2, 1.5}));
  EXPECT_EQ(error_of(squared, data_of({0, 1}, {"1.5", "x"})),
            "test: sample 12: expected a number for a label, got 'x'");
}

TEST(Targets, ThatAreNumbersOnOneSideAreMatchedBySpellingToo) {
  EXPECT_EQ(Targets(class_model({0, 1, 2}, {"1", "2.5", "x"})).of(data_of({2.5, 1})),
            (Vector{1, 0}));
  EXPECT_EQ(Targets(class_model({1, 2.5})).of(data_of({1, 0}, {"1", "2.5"})), (Vector{1, 0}));
  EXPECT_EQ(error_of(class_model({1, 2.5}), data_of({0}, {"one"})),
            "test: sample 11: expected one of the model's 2 labels, 1, 2.5, got 'one'");
}

TEST(Targets, AreTheLabelsWhereTheLossTakesNumbersAndZerosWhereItLooksAtNone) {
  const FittedModel squared{.loss = "squared"}, pca{.loss = "pca"};
  EXPECT_EQ(Targets(squared).of(data_of({0.25, -3})), (Vector{0.25, -3}));
  EXPECT_EQ(Targets(pca).of(data_of({7, 8}, {"a", "b", "c", "d", "e", "f", "g", "h", "i"})),
            (Vector{0, 0}));
  EXPECT_EQ(error_of(squared, data_of({1, 0}, {"cat", "dog"})),
            "test: sample 11: expected a number for a label, got 'dog'");
}

}  // namespace
}  // namespace asynprox
