#include "asynprox/data/labels.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

std::string error_of(const Vector& labels, std::optional<double> positive = std::nullopt) {
  try {
    sign_labels(labels, positive);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SignLabels, MakeTheLargerOfTwoPositive) {
  const SignLabels signs = sign_labels({2, 1, 1, 2});
  EXPECT_EQ(signs.signs, (Vector{1, -1, -1, 1}));
  EXPECT_EQ(signs.negative, 1);
  EXPECT_EQ(signs.positive, 2);
  EXPECT_FALSE(signs.one_against_rest);
}

TEST(SignLabels, ObeyThePositiveLabel) {
  const SignLabels signs = sign_labels({2, 1, 1, 2}, 1);
  EXPECT_EQ(signs.signs, (Vector{-1, 1, 1, -1}));
  EXPECT_EQ(signs.negative, 2);
  EXPECT_EQ(signs.positive, 1);
}

TEST(SignLabels, SetOneAgainstTheRestIfTold) {
  const SignLabels signs = sign_labels({0, 5, 9, 5, 3}, 5);
  EXPECT_EQ(signs.signs, (Vector{-1, 1, -1, 1, -1}));
  EXPECT_TRUE(signs.one_against_rest);
  EXPECT_EQ(signs.positive, 5);
}

TEST(SignLabels, RefuseLabelsWithoutAMeaning) {
  EXPECT_EQ(error_of({3, 3}), "labels: expected two, got one: 3");
  EXPECT_EQ(error_of({3, 3}, 3), "labels: expected two, got one: 3");
  EXPECT_EQ(error_of({}), "labels: expected two, got none");
  EXPECT_EQ(error_of({3, 1, 2}),
            "labels: expected two, got more: 1, 2, 3; --positive-label LABEL sets one against the "
            "rest");
  EXPECT_EQ(error_of({6, 5, 4, 3, 2, 1}),
            "labels: expected two, got more: 2, 3, 4, 5, 6, ...; --positive-label LABEL sets one "
            "against the rest");
  EXPECT_EQ(error_of({-1, 1}, 2), "--positive-label 2: expected one of the labels: -1, 1");
}

TEST(Labels, OfDataAreRefusedWithItsName) {
  const Dataset one = {.name = "one.csv", .labels = {0, 0}, .label_names = {"cat"}};
  const auto error = [](auto work) -> std::string {
    try {
      work();
    } catch (const ContractError& refusal) {
      return refusal.what();
    }
    return "no error";
  };
  EXPECT_EQ(error([&] { class_labels(one); }),
            "one.csv: labels: expected two or more, got one: cat");
  EXPECT_EQ(error([&] { sign_labels(one); }), "one.csv: labels: expected two, got one: cat");
  const Dataset two = {.name = "two.csv", .labels = {1, 0}, .label_names = {"cat", "owl"}};
  EXPECT_EQ(class_labels(two).numbers, (Vector{1, 0}));
  EXPECT_EQ(sign_labels(two, 0).signs, (Vector{-1, 1}));
}

TEST(SignLabels, SpeakOfTextLabelsByTheirNames) {
  const std::vector<std::string> names = {"ant", "cat", "dog"};
  const auto error = [&](const Vector& labels, std::optional<double> positive) -> std::string {
    try {
      sign_labels(labels, positive, names);
    } catch (const ContractError& refusal) {
      return refusal.what();
    }
    return "no error";
  };
  EXPECT_EQ(error({0, 2, 1}, std::nullopt),
            "labels: expected two, got more: ant, cat, dog; --positive-label LABEL sets one "
            "against the rest");
  EXPECT_EQ(error({0, 2}, 1), "--positive-label cat: expected one of the labels: ant, dog");
}

TEST(LabelNumber, IsThatOfTheNameOrTheNumberItself) {
  Dataset data{.labels = {0, 1, 1}, .label_names = {"1", "cat"}};
  EXPECT_EQ(label_number(data, "1"), 0);
  EXPECT_EQ(label_number(data, "cat"), 1);
  const auto error = [&](std::string_view text) -> std::string {
    try {
      label_number(data, text);
    } catch (const ContractError& refusal) {
      return refusal.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("cet"),
            "--positive-label: no 'cet' (did you mean 'cat'?); the labels are: 1, cat");
  data.label_names.clear();
  EXPECT_EQ(label_number(data, "-2.50"), -2.5);
  EXPECT_EQ(error("cat"), "--positive-label: expected a number, got 'cat'; the labels are: 0, 1");
}

TEST(LabelSummary, CountsDistinctLabels) {
  const LabelSummary summary = label_summary({2, -1, 2, 0});
  EXPECT_EQ(summary.distinct, (std::vector<LabelCount>{{-1, 1}, {0, 1}, {2, 2}}));
  EXPECT_TRUE(summary.all_whole);
  EXPECT_FALSE(summary.more_than_limit);
  EXPECT_EQ(summary.smallest, -1);
  EXPECT_EQ(summary.largest, 2);
}

TEST(LabelSummary, CountsTwoLabelsAndOne) {
  const LabelSummary two = label_summary({0.5, -1, 0.5});
  EXPECT_EQ(two.distinct, (std::vector<LabelCount>{{-1, 1}, {0.5, 2}}));
  EXPECT_FALSE(two.all_whole);
  const LabelSummary one = label_summary({3, 3});
  EXPECT_EQ(one.distinct, (std::vector<LabelCount>{{3, 2}}));
  EXPECT_TRUE(one.all_whole);
}

TEST(LabelSummary, GivesUpCountingBeyondTheLimit) {
  const LabelSummary summary = label_summary({1, 2, 3.5}, /*limit=*/2);
  EXPECT_TRUE(summary.more_than_limit);
  EXPECT_TRUE(summary.distinct.empty());
  EXPECT_FALSE(summary.all_whole);
  EXPECT_EQ(summary.largest, 3.5);
  EXPECT_FALSE(label_summary({1, 2, 1}, /*limit=*/2).more_than_limit);
  EXPECT_TRUE(label_summary({1, 2}, /*limit=*/1).more_than_limit);
  EXPECT_TRUE(label_summary({}).distinct.empty());
}

}  // namespace
}  // namespace asynprox
