#include <algorithm>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/checkpoints/checkpoint.h"
#include "asynprox/report/kept_run.h"

#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

void read_run(std::string_view text) {
  const ReadNumbers read = [](const std::string&) { return std::vector<double>{1, 2}; };
  try {
    const std::string written = kept_run_json(kept_run_from_json(text, read));
    ensure(kept_run_json(kept_run_from_json(written, read)) == written,
           "the run of a checkpoint is not read as written");
  } catch (const DataError&) {
  }
}

}  // namespace

void fuzz_checkpoints(Input input) {
  try {
    const Checkpoint checkpoint = decode_checkpoint(input);
    ensure(std::ranges::equal(encode(checkpoint), input),
           "a checkpoint is not written as it was read");
    read_run(checkpoint.run);
  } catch (const DataError&) {
  }
  // Under checksums that are right, since no mutation finds one: the input as the run, and as bytes of any
  // section.
  read_run(text_of(input));
  Checkpoint sealed;
  sealed.run = std::string(text_of(input));
  sealed.state.session.assign(input.begin(), input.end());
  const std::vector<std::byte> bytes = encode(sealed);
  ensure(encode(decode_checkpoint(bytes)) == bytes, "a checkpoint is not read as written");
}

}  // namespace asynprox::fuzz
