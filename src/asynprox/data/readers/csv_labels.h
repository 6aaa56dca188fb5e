// The labels of CSV, which may turn out to be text as late as in the last record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asynprox/data/readers/csv_cells.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Text labels name classes; a column with more spellings than this holds something else.
inline constexpr std::size_t kTextLabelsMax = 10'000;

class CsvLabels {
 public:
  // `as_text` makes all of them text. Throws CsvMisread for a label that is missing, a number that
  // is not finite, and text that is not UTF-8: a model could not keep it.
  void add(const CsvCell& cell, bool as_text = false);
  void add_none() { numbers_.push_back(0); }  // of a sample without a label

  // Appends those of the records that follow; `lines_before` theirs, for first_text().
  void add(CsvLabels&& more, std::size_t lines_before);

  std::size_t size() const { return numbers_.size(); }

  struct Text {
    CsvPlace place;
    std::string spelling;
  };
  // The first label that is no number, or was added as text; then all are text.
  const std::optional<Text>& first_text() const { return first_text_; }
  bool too_many() const { return too_many_; }  // spellings

  struct Finished {
    Vector labels;
    std::vector<std::string> names;  // rising; empty where labels are numbers
  };
  // Text must not be too many.
  Finished finish() &&;

 private:
  std::uint32_t code_of(std::string_view spelling);

  Vector numbers_;                    // 0 for text
  std::vector<std::uint32_t> codes_;  // which spelling each has, unless there are too many
  std::vector<std::string> spellings_;
  std::unordered_map<std::string, std::uint32_t> code_of_;
  std::optional<Text> first_text_;
  bool too_many_ = false;
  std::string last_;  // labels often repeat
  std::uint32_t last_code_ = 0;
};

}  // namespace asynprox
