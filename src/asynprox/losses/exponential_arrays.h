// The losses that need an exponential, over arrays: the same functions as the members of their
// structs, to a few units in the last place, several samples at a time. The same bits at every
// level of vector instructions (see linalg/simd.h). All spans have the same size.
#pragma once

#include <span>

namespace asynprox {

void logistic_values(std::span<const double> u, std::span<const double> y, std::span<double> out);
void logistic_derivatives(std::span<const double> u, std::span<const double> y,
                          std::span<double> out);
// Both for little more than one of them, to the same bits.
void logistic_values_and_derivatives(std::span<const double> u, std::span<const double> y,
                                     std::span<double> values, std::span<double> derivatives);
// To 1e-15, absolute.
void logistic_conjugates(std::span<const double> theta, std::span<const double> y,
                         std::span<double> out);
void sigmoid_values(std::span<const double> u, std::span<const double> y, std::span<double> out);
void sigmoid_derivatives(std::span<const double> u, std::span<const double> y,
                         std::span<double> out);
void squared_sigmoid_values(std::span<const double> u, std::span<const double> y,
                            std::span<double> out);
void squared_sigmoid_derivatives(std::span<const double> u, std::span<const double> y,
                                 std::span<double> out);
void poisson_values(std::span<const double> u, std::span<const double> y, std::span<double> out);
void poisson_derivatives(std::span<const double> u, std::span<const double> y,
                         std::span<double> out);

// out_i = exp(t_i), for t_i <= 709; below -708, as there. `out` may be t.
void exponentials(std::span<const double> t, std::span<double> out);

}  // namespace asynprox
