// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/data/generators/all.h"

namespace asynprox {

AnyGenerator make_generator(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnyGenerator>(AllGenerators{}, "generated data set", spec, read);
}

}  // namespace asynprox
