#include "asynprox/linalg/local_rows.h"

#include <gtest/gtest.h>

#include "asynprox/base/random.h"
#include "asynprox/linalg/borrowed_forms_testing.h"

namespace asynprox {
namespace {

// Rows of random lengths with values that `value_of` makes of random bits.
template <class ValueOf>
CsrMatrix random_matrix(std::size_t num_columns, std::size_t length_max, ValueOf value_of) {
  const Random random(9);
  std::uint64_t counter = 0;
  CsrMatrix matrix{.num_columns = num_columns};
  for (int row = 0; row < 50; ++row) {
    Key column = static_cast<Key>(random.index_at(counter++, 5));
    const std::size_t length = random.index_at(counter++, length_max + 1);
    for (std::size_t e = 0; e < length && column < num_columns; ++e) {
      matrix.columns.push_back(column);
      matrix.values.push_back(value_of(random.at(counter++)));
      column += 1 + static_cast<Key>(random.index_at(counter++, num_columns / (length_max + 5)));
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

template <class ValueOf>
Rows random_rows(std::size_t num_columns, std::size_t length_max, ValueOf value_of) {
  return Rows::narrowed(random_matrix(num_columns, length_max, value_of));
}

// Every layout and value type there is, by data that asks for it.
std::vector<Rows> all_forms() {
  const auto one = [](std::uint64_t) { return 1.0; };
  const auto byte = [](std::uint64_t bits) { return static_cast<double>(bits & 0xff); };
  const auto real = [](std::uint64_t bits) { return static_cast<double>(bits >> 40) / 1024; };
  const auto full = [](std::uint64_t bits) { return static_cast<double>(bits) / 3; };
  std::vector<Rows> forms = {random_rows(100, 14, one),    random_rows(5000, 14, one),
                             random_rows(1000, 150, byte), random_rows(1000, 150, real),
                             random_rows(90000, 20, real), random_rows(90000, 20, full)};
  const CsrMatrix matrix = random_matrix(200, 50, real);
  for (const CsrMatrix& each : {matrix, filled_up(matrix)})
    for (const Rows& rows : borrowed_forms(each)) forms.push_back(rows);
  return forms;
}

TEST(LocalRows, GiveTheBitsOfTheRowsTheyAreOf) {
  const std::vector<SampleIndex> samples = {7, 3, 7, 49, 0, 12, 31, 3};
  for (const Rows& rows : all_forms()) {
    SCOPED_TRACE(rows.form());
    KeySet keys(rows.num_columns());
    LocalRows local;
    local.assign(rows, std::vector<SampleIndex>{1, 2}, keys);  // buffers are used again
    keys.clear();
    local.assign(rows, samples, keys);

    Vector x(rows.num_columns()), x_local, c(samples.size());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = Random(2).uniform_at(j) - 0.5;
    for (const Key key : keys.keys()) x_local.push_back(x[key]);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = Random(4).uniform_at(i);

    Vector u(samples.size()), u_local(samples.size());
    rows.dots(samples, x, u);
    local.dots(0, x_local, u_local);
    EXPECT_EQ(u, u_local);
    Vector tail(3);
    local.dots(5, x_local, tail);
    EXPECT_EQ(tail, Vector(u.begin() + 5, u.end()));

    Vector g(rows.num_columns()), g_local(keys.keys().size());
    rows.scatter(samples, c, g);
    local.scatter(0, c, g_local);
    for (std::size_t p = 0; p < g_local.size(); ++p) EXPECT_EQ(g_local[p], g[keys.keys()[p]]);
  }
}

}  // namespace
}  // namespace asynprox
