// About (1/n) sum_i A_i' F''_i A_i at a few coordinates, from some of the samples: F''_i is C x C
// where a sample has C outputs u_i = A_i x, and for one output the sum is that of F''_i a_i a_i'.
//
// Sample i is taken with a probability proportional to tr(F''_i) |a_i|^2, where |.| is over the features
// of those coordinates, each in units of its own curvature, and is weighted by the inverse of that
// probability: so that rare features are there too. The sampling is systematic, not random.
// Where little has changed since it was made, it is kept.
//
// With intercepts b_c, which are the last coordinates then, it is the Hessian in (x, b') with
// b'_c = b_c + m'x_c, where m_j = sum_c H_(jc)(b_c) / sum_c H_(b_c)(b_c) are means of the columns:
// columns far from 0 are no trouble then, and nothing has to be centred.
//
// Xu, Yang, Roosta-Khorasani, Re and Mahoney (2016), Sub-sampled Newton methods with non-uniform
// sampling.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "asynprox/base/fields.h"
#include "asynprox/linalg/gram.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class SampledHessian {
 public:
  // Borrows the problem. All but the constructor need f's Gram matrix. It is summed in so many shares, or a few.
  // `column_curvatures`: column_curvatures() of scaling.h, where they are known already.
  explicit SampledHessian(const Problem& problem, int shares = 1,
                          std::shared_ptr<const Vector> column_curvatures = {});

  enum class Prepared {
    known,      // as it was, at a model before
    to_sum,     // samples were chosen, and are to be summed
    too_rough,  // of as many samples as it may cost it would say little
  };

  struct Wanted {
    bool keep = false;  // reuse the old Hessian if the coordinates are the same, or some of its own
    bool patient = false;  // it may cost a fraction of a second
  };
  // At these coordinates, in rising order; with all intercepts or none.
  Prepared prepare(const EvaluatedModel& model, const std::vector<Key>& keys, Wanted wanted);

  // Those of this share, from 0. Shares may run side by side.
  void sum_share(int share);
  void finish_shares();

  const Gram& matrix() const { return gram_; }
  // m, one for each key but the intercepts'; empty: there are none.
  const Vector& shift() const { return shift_; }

  // From more samples, the next time; false: there are no more, or it would cost too much.
  bool refine();

  // Where it is of all samples: with a smaller ridge, the next time, for directions in which f is
  // nearly flat; and with the usual one again. False: that is what it has.
  bool sharpen();
  bool soften();

  std::int64_t samples_read() const { return samples_read_; }  // by all so far

  // What it keeps from one sum to the next.
  template <IsA<SampledHessian> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("passes", part.passes_);
    visit("ridge", part.ridge_);
    visit("samples_read", part.samples_read_);
    visit("column_curvatures", part.column_curvatures_);
    visit("measured_keys", part.measured_keys_);
    visit("lengths", part.lengths_);
    visit("cost", part.cost_);
    visit("gram", part.gram_);
    visit("shift", part.shift_);
    visit("keys", part.keys_);
    visit("curvatures", part.curvatures_);
    visit("chosen", part.chosen_);
    visit("weights", part.weights_);
    visit("some", part.some_);
  }

 private:
  void measure_curvatures(const EvaluatedModel& model);
  double size_of_curvature(std::size_t sample) const;
  void keep_from_flatness(const EvaluatedModel& model);
  void measure(const std::vector<Key>& keys);
  void measure_lengths();
  // Keeps the rows and columns of these keys of the matrix that is known. False, and nothing changes,
  // if it lacks one of them.
  bool cut_to(const std::vector<Key>& keys);
  double num_chosen(double keys, bool patient) const;
  // About so many of all samples, and what they count.
  void choose(double count);
  void shift_intercepts();
  Vector column_means() const;
  void add_ridge(double ridge);

  const Problem& problem_;
  std::size_t num_samples_, outputs_;
  double passes_, pass_cost_;  // how many it costs; products in one
  double ridge_;               // of the diagonal, where it is of all samples
  std::int64_t samples_read_ = 0;

  std::shared_ptr<const Vector> column_curvatures_;  // of f, at most; an empty one: there are none
  std::vector<Key> measured_keys_;
  Vector lengths_;   // |a_i|^2 at those; empty: as if they were one
  double cost_ = 0;  // products per sample, for the square of the number of keys

  Gram gram_;
  Vector shift_;
  std::vector<Key> keys_;
  Vector curvatures_;  // F''_i / n, C x C numbers per sample
  std::vector<SampleIndex> chosen_;
  Vector weights_;
  bool some_ = false;         // of the samples were chosen
  std::vector<Gram> shares_;  // of the sum
};

}  // namespace asynprox
