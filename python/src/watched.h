// A run beside the Python interpreter: the work is done on a thread of its own without the GIL,
// while the caller's thread looks after signals and callbacks.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "asynprox/algorithm/trace.h"

namespace asynprox::python {

namespace nb = nanobind;

class Watched {
 public:
  // `callback(progress) -> stop`, or None.
  explicit Watched(nb::object callback);
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched();

  // Ends all runs under way. Where the interpreter ends they have to be over before: a thread that
  // asks for the GIL later never comes back.
  static void interrupt_all();

  bool has_callback() const { return !callback_.is_none(); }

  // Ends the run when it becomes true: at Ctrl-C, or where the callback says so.
  const std::atomic<bool>& interrupt() const { return interrupt_; }

  // It was Ctrl-C.
  bool ctrl_c() const { return ctrl_c_; }

  // Of the run, from any of its threads: waits until the callback was called, on the thread that
  // called run().
  void tell(const Evaluation& evaluation);

  // With the GIL held, which is released meanwhile. Throws what `work` or the callback throws.
  void run(const std::function<void()>& work);

 private:
  class Worker;

  void carry_out(const std::function<void()>& work);
  void abandon();
  void attend();  // with the GIL
  void call_back(const Evaluation& evaluation);
  // A Python error of the callback or of a signal's handler.
  void note(nb::python_error& error);

  nb::object callback_;
  std::atomic<bool> interrupt_ = false;
  bool ctrl_c_ = false;

  std::mutex mutex_;
  std::condition_variable news_, answered_;
  bool done_ = false;
  std::optional<Evaluation> told_;
  std::exception_ptr error_of_work_, error_of_python_;
};

}  // namespace asynprox::python
