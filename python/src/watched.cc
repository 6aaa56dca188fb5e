#include "watched.h"

#include <chrono>
#include <thread>

namespace asynprox::python {
namespace {

// How long a signal may wait.
constexpr std::chrono::milliseconds kPause(30);

}  // namespace

void Watched::tell(const Evaluation& evaluation) {
  if (!has_callback() || interrupt_) return;
  std::unique_lock lock(mutex_);
  told_ = evaluation;
  news_.notify_one();
  answered_.wait(lock, [this] { return !told_; });
}

void Watched::run(const std::function<void()>& work) {
  {
    const nb::gil_scoped_release released;
    std::thread worker([&] {
      try {
        work();
      } catch (...) {
        error_of_work_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      news_.notify_one();
    });
    std::unique_lock lock(mutex_);
    while (!done_) {
      news_.wait_for(lock, kPause, [this] { return done_ || told_; });
      if (done_) break;
      lock.unlock();
      attend();
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (error_of_python_) std::rethrow_exception(error_of_python_);
  if (error_of_work_) std::rethrow_exception(error_of_work_);
}

void Watched::attend() {
  std::optional<Evaluation> told;
  {
    const std::lock_guard lock(mutex_);
    told = told_;
  }
  {
    const nb::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (told) call_back(*told);
    } catch (nb::python_error& error) {
      note(error);
    }
  }
  if (!told) return;
  const std::lock_guard lock(mutex_);
  told_.reset();
  answered_.notify_one();
}

void Watched::call_back(const Evaluation& evaluation) {
  const int stop = PyObject_IsTrue(callback_(evaluation).ptr());
  if (stop < 0) throw nb::python_error();
  if (stop > 0) interrupt_ = true;
}

void Watched::note(nb::python_error& error) {
  interrupt_ = true;
  // Ctrl-C asks for what was learnt so far: the run ends, and the call returns.
  if (!error.matches(PyExc_KeyboardInterrupt) && !error_of_python_)
    error_of_python_ = std::current_exception();
}

}  // namespace asynprox::python
