#include "asynprox/sums/key_counts.h"

namespace asynprox {

Vector key_counts(const AnyFiniteSum& f) {
  Vector counts(f.dimension());
  KeySet keys(f.dimension());
  for (const SampleIndex sample : all_samples(f.num_samples())) {
    keys.clear();
    f.add_keys({&sample, 1}, keys);
    for (const Key key : keys.keys()) counts[key] += 1;
  }
  return counts;
}

}  // namespace asynprox
