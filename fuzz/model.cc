#include "asynprox/base/errors.h"
#include "asynprox/models/model_file.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

constexpr std::uint64_t kCoefficientsMax = 1 << 16;

FittedModel model_in(std::string_view text) {
  return read_model_within(memory_file(std::as_bytes(std::span(text))), kCoefficientsMax);
}

}  // namespace

void fuzz_model(Input input) {
  std::string text;
  try {
    text = model_json(model_in(text_of(input)));
  } catch (const DataError&) {
    return;
  }
  ensure(model_json(model_in(text)) == text, "the model is not read as written");
}

}  // namespace asynprox::fuzz
