// The paper's problem on a data set: non-negative PCA,
//
//   minimise over x >= 0, |x| <= 1      (1/n) sum_i -(z_i'x)^2 / 2,      every |z_i| = 1
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox::reproduce {

// What suboptimality is measured from.
struct Reference {
  double lipschitz = 0;             // L: the largest eigenvalue of Z'Z/n
  double eigenvalue_answer = 0;     // -L/2: never above the minimum; it, where no entry is negative
  std::vector<double> from_starts;  // where proximal gradient ended, one a random start
  double optimum = 0;               // the smallest value known
};

struct PaperProblem {
  std::string name;   // in file names: "a9a"
  std::string about;  // for people: "a9a: 32,561 samples, 123 features"
  bool is_papers;     // the very data of the paper
  Dataset data;
  AnyFiniteSum f;
  Reference reference;

  double lipschitz() const { return reference.lipschitz; }
};

// Rows are scaled to length 1, and where `centered` the columns then to mean 0. The reference point
// is sought by proximal gradient from as many random starts, as in the paper, and from 1/sqrt(d).
PaperProblem make_problem(std::string name, Dataset data, bool is_papers, bool centered,
                          int random_starts);

struct PaperData {
  std::string name = {};
  bool is_papers = true;
  std::string substituted =
      {};                 // what is missing, and what stands in for it; empty for the paper's own
  std::string path = {};  // as read_dataset takes it
  std::optional<std::size_t> dimension = {};
};

// Where the data of the paper is: a9a and mnist in `folder`. What is not there is replaced, by
// Fashion-MNIST where the system has it or by a generated set of the same shape.
std::vector<PaperData> find_paper_data(const std::optional<std::string>& folder);

}  // namespace asynprox::reproduce
