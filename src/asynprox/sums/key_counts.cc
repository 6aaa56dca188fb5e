#include "asynprox/sums/key_counts.h"

#include "asynprox/base/errors.h"

namespace asynprox {

Vector key_counts(const AnyFiniteSum& f) {
  const SparseGradient* sparse = f.sparse();
  require(sparse != nullptr, "key_counts: expected a finite sum with the facet sparse");
  Vector counts(f.dimension());
  KeySet keys(f.dimension());
  for (const SampleIndex sample : all_samples(f.num_samples())) {
    keys.clear();
    sparse->add_keys({&sample, 1}, keys);
    for (const Key key : keys.keys()) counts[key] += 1;
  }
  return counts;
}

}  // namespace asynprox
