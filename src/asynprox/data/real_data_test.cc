// Public data sets, read from the folder that ASYNPROX_DATA_DIR names; skipped where it is not set.
#include <gtest/gtest.h>

#include <cstdlib>

#include "asynprox/data/dataset.h"
#include "asynprox/data/info.h"

namespace asynprox {
namespace {

class RealData : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("ASYNPROX_DATA_DIR");
    if (!folder) GTEST_SKIP() << "ASYNPROX_DATA_DIR does not name the folder of public data sets";
    folder_ = folder;
  }
  Dataset read(const std::string& name, const ReadOptions& options = {}) const {
    return read_dataset(folder_ + "/" + name + ".xz", options);
  }

 private:
  std::string folder_;
};

void expect_shape(const DataInfo& info, std::size_t samples, std::size_t dimension,
                  std::size_t nonzeros) {
  EXPECT_EQ(info.samples, samples);
  EXPECT_EQ(info.dimension, dimension);
  EXPECT_EQ(info.nonzeros, nonzeros);
}

TEST_F(RealData, A9aIsAllOnes) {
  const DataInfo info = data_info(read("a9a"));
  expect_shape(info, 32561, 123, 451592);
  EXPECT_EQ(info.form, "16-bit columns, all ones");
  EXPECT_EQ(info.labels.distinct, (std::vector<LabelCount>{{-1, 24720}, {1, 7841}}));
}

TEST_F(RealData, A9aTestNeedsToBeToldItsDimension) {
  expect_shape(data_info(read("a9a.t")), 16281, 122, 225731);
  expect_shape(data_info(read("a9a.t", {.dimension = 123})), 16281, 123, 225731);
}

TEST_F(RealData, MnistHoldsBytesAndTenLabels) {
  const DataInfo info = data_info(read("mnist"));
  expect_shape(info, 60000, 780, 8994156);
  EXPECT_EQ(info.form, "16-bit columns, 8-bit integers");
  ASSERT_EQ(info.labels.distinct.size(), 10u);
  EXPECT_EQ(info.labels.smallest, 0);
  EXPECT_EQ(info.labels.largest, 9);
}

TEST_F(RealData, MushroomsHasLabelsOneAndTwo) {
  const Dataset data = read("mushrooms");
  expect_shape(data_info(data), 8124, 112, 170604);
  const SignLabels signs = sign_labels(data.labels);
  EXPECT_EQ(signs.negative, 1);
  EXPECT_EQ(signs.positive, 2);
}

TEST_F(RealData, SmallSetsHoldNumbersOfSeveralDigits) {
  expect_shape(data_info(read("heart_scale")), 270, 13, 3378);
  expect_shape(data_info(read("abalone_scale")), 4177, 8, 32080);
}

TEST_F(RealData, PicturesInIdxEqualThoseInLibsvmText) {
  const Dataset pictures = read("t10k-images-idx3-ubyte"), text = read("mnist.t");
  EXPECT_EQ(pictures.picture, (PictureShape{.height = 28, .width = 28}));
  EXPECT_EQ(pictures.dimension(), 784u);
  EXPECT_EQ(text.dimension(), 778u);
  EXPECT_EQ(pictures.labels, text.labels);
  ASSERT_EQ(pictures.num_samples(), text.num_samples());
  for (std::size_t i = 0; i < text.num_samples(); ++i)
    ASSERT_EQ(pictures.rows.row(i), text.rows.row(i)) << "picture " << i;
}

TEST_F(RealData, IsTheSameForEveryNumberOfThreads) {
  const Dataset one = read("a9a", {.threads = 1}), four = read("a9a", {.threads = 4});
  EXPECT_EQ(one.labels, four.labels);
  for (std::size_t i = 0; i < one.num_samples(); ++i) ASSERT_EQ(one.rows.row(i), four.rows.row(i));
}

}  // namespace
}  // namespace asynprox
