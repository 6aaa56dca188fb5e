#include "asynprox/data/write_generated.h"

#include <gtest/gtest.h>

#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

GeneratedRows rows_of(const std::string& spec) { return make_generator(parse_spec(spec)).rows(); }

TEST(WriteGenerated, WritesWhatReadDatasetGives) {
  const TemporaryFolder folder;
  for (const std::string spec :
       {"sparse-logistic:n=3000,d=500,nonzeros=40", "sparse-logistic:n=100,d=1000000",
        "sparse-logistic:n=5,nonzeros=1", "nn-pca:n=300,d=50", "nn-pca:n=300,d=50,noise=0",
        "lasso:n=50,d=20", "ratings:n=500,users=30,items=20"}) {
    const Dataset read = read_dataset("generate:" + spec);
    for (const int threads : {1, 2, 5}) {
      const auto written =
          write_generated(rows_of(spec), folder.path("file"), {.threads = threads});
      ASSERT_TRUE(written);
      EXPECT_EQ(written->num_nonzeros, read.rows.num_nonzeros());
      EXPECT_EQ(written->bytes, std::filesystem::file_size(folder.path("file")));
      EXPECT_NO_THROW(verify_binary_file(folder.path("file")));
      const Dataset opened = open_binary_file(folder.path("file"));
      EXPECT_EQ(opened.labels, read.labels);
      EXPECT_EQ(opened.ratings, read.ratings);
      EXPECT_EQ(fingerprint(opened), fingerprint(read)) << spec;
      for (std::size_t i = 0; i < read.num_samples(); ++i)
        ASSERT_EQ(opened.rows.row(i), read.rows.row(i)) << spec << " " << i;
    }
  }
}

TEST(WriteGenerated, LeavesNothingIfItIsEnded) {
  const TemporaryFolder folder;
  int calls = 0;
  EXPECT_FALSE(write_generated(rows_of("sparse-logistic:n=100000"), folder.path("file"),
                               {.go_on = [&](std::uint64_t) { return ++calls < 3; }}));
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("")));
}

}  // namespace
}  // namespace asynprox
