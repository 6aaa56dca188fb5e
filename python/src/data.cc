#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "asynprox/data/borrow.h"
#include "asynprox/data/repack.h"
#include "asynprox/data/weights.h"

#include "arrays.h"
#include "parts.h"

namespace asynprox::python {
namespace {

using Indices = nb::ndarray<nb::ro, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<nb::ro, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::ro, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number, class Array>
std::span<const Number> span_of(const Array& array) {
  return {static_cast<const Number*>(array.data()), array.size()};
}

BorrowedOffsets borrowed_indices(const Indices& array) {
  if (array.dtype() == nb::dtype<std::int32_t>()) return span_of<std::int32_t>(array);
  if (array.dtype() == nb::dtype<std::int64_t>()) return span_of<std::int64_t>(array);
  throw nb::type_error("indices: expected int32 or int64");
}

template <class Array>
BorrowedValues borrowed_values(const Array& array) {
  if (array.dtype() == nb::dtype<float>()) return span_of<float>(array);
  if (array.dtype() == nb::dtype<double>()) return span_of<double>(array);
  throw nb::type_error("values: expected float32 or float64");
}

// What data has beside its rows.
struct Description {
  std::string name;
  std::vector<std::string> feature_names;
  std::vector<std::string> label_names;
};

Data described(Dataset dataset, const Description& description,
               const std::optional<Doubles>& weights, nb::object arrays) {
  dataset.name = description.name;
  dataset.feature_names = description.feature_names;
  dataset.label_names = description.label_names;
  if (weights) set_weights(dataset, vector_of(*weights), "sample_weight");
  return {std::move(dataset), std::move(arrays)};
}

// All entries are looked at once, without the GIL.
template <class Borrow>
Dataset checked(const Borrow& borrow) {
  const nb::gil_scoped_release released;
  return borrow();
}

Data csr_data(const Indices& offsets, const Indices& columns, const Values& values,
              std::size_t num_columns, const Doubles& labels, const std::optional<Doubles>& weights,
              const Description& description, nb::object arrays) {
  const BorrowedCsr matrix = {.num_columns = num_columns,
                              .offsets = borrowed_indices(offsets),
                              .columns = borrowed_indices(columns),
                              .values = borrowed_values(values)};
  return described(checked([&] { return borrow_csr(matrix, vector_of(labels)); }), description,
                   weights, std::move(arrays));
}

Data dense_data(const Matrix& values, const Doubles& labels, const std::optional<Doubles>& weights,
                const Description& description, nb::object arrays) {
  const BorrowedDense matrix = {.num_rows = values.shape(0),
                                .num_columns = values.shape(1),
                                .values = borrowed_values(values)};
  return described(checked([&] { return borrow_dense(matrix, vector_of(labels)); }), description,
                   weights, std::move(arrays));
}

// The same samples in rows of the engine's own, as narrow as they can be.
Data packed(const Data& data) {
  const nb::gil_scoped_release released;
  Dataset dataset = data.dataset;
  dataset.rows = repacked(data.dataset.rows, data.dataset.dimension());
  return {std::move(dataset), nb::object()};
}

std::uintptr_t address_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<std::uintptr_t>(bytes.data());
}

// Where the engine reads the rows: offsets, columns, values.
std::vector<std::uintptr_t> addresses(const Data& data) {
  const RowArrays arrays = data.dataset.rows.arrays();
  return {address_of(arrays.offsets), address_of(arrays.columns), address_of(arrays.values)};
}

}  // namespace

void add_data(nb::module_& module) {
  nb::class_<Description>(module, "Description")
      .def(nb::init<std::string, std::vector<std::string>, std::vector<std::string>>(),
           nb::arg("name"), nb::arg("feature_names"), nb::arg("label_names"));
  nb::class_<Data>(module, "Data")
      .def_static("csr", &csr_data, nb::arg("offsets").noconvert(), nb::arg("columns").noconvert(),
                  nb::arg("values").noconvert(), nb::arg("num_columns"),
                  nb::arg("labels").noconvert(), nb::arg("weights").none(), nb::arg("description"),
                  nb::arg("arrays"))
      .def_static("dense", &dense_data, nb::arg("values").noconvert(),
                  nb::arg("labels").noconvert(), nb::arg("weights").none(), nb::arg("description"),
                  nb::arg("arrays"))
      .def_prop_ro("num_samples", [](const Data& data) { return data.dataset.num_samples(); })
      .def_prop_ro("num_features", [](const Data& data) { return data.dataset.dimension(); })
      .def("packed", &packed)
      .def_prop_ro("form", [](const Data& data) { return std::string(data.dataset.rows.form()); })
      .def_prop_ro("addresses", &addresses);
}

}  // namespace asynprox::python
