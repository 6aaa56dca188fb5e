#include "watched.h"

#include <chrono>
#include <set>
#include <thread>

namespace asynprox::python {
namespace {

// How long a signal may wait.
constexpr std::chrono::milliseconds kPause(30);

struct UnderWay {
  std::mutex mutex;
  std::set<Watched*> runs;
};
UnderWay& under_way() {
  static UnderWay all;
  return all;
}

}  // namespace

Watched::Watched(nb::object callback) : callback_(std::move(callback)) {
  const std::lock_guard lock(under_way().mutex);
  under_way().runs.insert(this);
}

Watched::~Watched() {
  const std::lock_guard lock(under_way().mutex);
  under_way().runs.erase(this);
}

void Watched::interrupt_all() {
  const std::lock_guard lock(under_way().mutex);
  for (Watched* run : under_way().runs) run->interrupt_ = true;
}

void Watched::tell(const Evaluation& evaluation) {
  if (!has_callback() || interrupt_) return;
  std::unique_lock lock(mutex_);
  told_ = evaluation;
  news_.notify_one();
  answered_.wait(lock, [this] { return !told_; });
}

// Ends the work where run() is left in another way than by its end.
class Watched::Worker {
 public:
  Worker(Watched& watched, const std::function<void()>& work)
      : watched_(watched), thread_([&watched, &work] { watched.carry_out(work); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    watched_.abandon();
    thread_.join();
  }

 private:
  Watched& watched_;
  std::thread thread_;
};

void Watched::carry_out(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    error_of_work_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  done_ = true;
  news_.notify_one();
}

void Watched::abandon() {
  const std::lock_guard lock(mutex_);
  if (done_) return;
  interrupt_ = true;
  told_.reset();
  answered_.notify_one();
}

void Watched::run(const std::function<void()>& work) {
  {
    const nb::gil_scoped_release released;
    const Worker worker(*this, work);
    std::unique_lock lock(mutex_);
    while (!done_) {
      news_.wait_for(lock, kPause, [this] { return done_ || told_; });
      if (done_) break;
      lock.unlock();
      attend();
      lock.lock();
    }
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
  if (error.matches(PyExc_KeyboardInterrupt))
    ctrl_c_ = true;
  else if (!error_of_python_)
    error_of_python_ = std::current_exception();
}

}  // namespace asynprox::python
