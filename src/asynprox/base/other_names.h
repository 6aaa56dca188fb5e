// Names that other programs use for members of our families.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace asynprox {

struct OtherName {
  std::string_view family;
  std::string_view other;
  std::string_view ours;  // for a sentence: "NAME", or "NAME or NAME"
};

inline constexpr std::array kOtherNames = {
    OtherName{"regularizer", "lasso", "l1"},
    OtherName{"regularizer", "ridge", "squared-l2"},
    OtherName{"regularizer", "l2", "squared-l2, or l2-norm for the norm itself"},
    OtherName{"regularizer", "none", "zero"},
    OtherName{"loss", "mse", "squared"},
    OtherName{"loss", "l2", "squared"},
    OtherName{"loss", "least-squares", "squared"},
    OtherName{"loss", "absolute", "huber, with a small delta"},
    OtherName{"loss", "l1", "huber, with a small delta"},
    OtherName{"loss", "l1-loss", "huber, with a small delta"},
    OtherName{"loss", "mae", "huber, with a small delta"},
    OtherName{"loss", "hinge", "smoothed-hinge or squared-hinge"},
    OtherName{"loss", "svm", "smoothed-hinge or squared-hinge"},
    OtherName{"loss", "softmax", "multinomial"},
    OtherName{"loss", "cross-entropy", "logistic for two classes, multinomial for more"},
    OtherName{"loss", "log-loss", "logistic for two classes, multinomial for more"},
    OtherName{"loss", "binary-cross-entropy", "logistic"},
};

// " (here it is NAME)" where `typed` is another name of one of the family's members, else "".
inline std::string known_here_as(std::string_view family, std::string_view typed) {
  for (const OtherName& name : kOtherNames)
    if (name.family == family && name.other == typed)
      return " (here it is " + std::string(name.ours) + ")";
  return "";
}

}  // namespace asynprox
