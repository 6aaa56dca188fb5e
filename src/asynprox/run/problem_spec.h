// A problem as a value: which data, how it is read and treated, and what is minimised. Another
// process that can read the data builds the same problem from it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "asynprox/run/fields.h"

namespace asynprox {

// Where data is, and how it is read.
struct DataSpec {
  std::string path;
  std::optional<std::size_t> dimension = {};  // features; as many as the data has
  bool zero_based = false;                    // columns of LIBSVM text count from 0
  bool ratings = false;
  std::optional<std::string> labels = {};        // the labels of IDX pictures
  std::optional<std::string> label_column = {};  // of CSV: a name or a number from 1
  std::string header = "auto";                   // whether CSV has one: yes, no or auto
};

struct ProblemSpec {
  DataSpec data;
  std::optional<std::string> positive_label = {};  // the label that is +1
  std::optional<std::string> loss = {};            // from the labels
  std::string model = "linear";
  std::string regularizer = "zero";
  std::string normalize = "none";    // or rows
  std::string standardize = "none";  // or columns
  bool center = false;
  bool intercept = false;
  std::optional<std::string> weights = {};  // a file of numbers
  std::string class_weight = "none";        // or balanced
  std::optional<double> holdout = {};       // this share of the samples is not fitted
  std::optional<std::string> start = {};    // zeros, uniform, random, a model or a file of numbers
};

template <IsA<DataSpec> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("path", part.path);
  visit("dimension", part.dimension);
  visit("zero_based", part.zero_based);
  visit("ratings", part.ratings);
  visit("labels", part.labels);
  visit("label_column", part.label_column);
  visit("header", part.header);
}

template <IsA<ProblemSpec> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("data", part.data);
  visit("positive_label", part.positive_label);
  visit("loss", part.loss);
  visit("model", part.model);
  visit("regularizer", part.regularizer);
  visit("normalize", part.normalize);
  visit("standardize", part.standardize);
  visit("center", part.center);
  visit("intercept", part.intercept);
  visit("weights", part.weights);
  visit("class_weight", part.class_weight);
  visit("holdout", part.holdout);
  visit("start", part.start);
}

}  // namespace asynprox
