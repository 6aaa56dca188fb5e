// A run in several processes: the problem that each of them builds, the server, and a worker.
// Messages are bytes (messages/message_bytes.h); who carries them is no concern of this file.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>

#include "asynprox/data/fingerprint.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/fit/run_problem.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/message_bytes.h"
#include "asynprox/run/json.h"
#include "asynprox/run/planning.h"
#include "asynprox/run/result_text.h"
#include "asynprox/run/served_run.h"
#include "asynprox/simulator/compute_times/all.h"
#include "asynprox/version.h"

#include "runs.h"

namespace asynprox::python {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The bytes of an object that has some, while this lives.
class Bytes {
 public:
  explicit Bytes(const nb::object& object) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { PyBuffer_Release(&buffer_); }

  std::span<const std::byte> view() const {
    return {static_cast<const std::byte*>(buffer_.buf), static_cast<std::size_t>(buffer_.len)};
  }

 private:
  Py_buffer buffer_;
};

using Frame = std::vector<std::byte>;

// Short messages are bytes, long ones arrays: these are sent without another copy.
nb::object message_of(Frame frame) {
  constexpr std::size_t kLong = 1 << 16;
  if (frame.size() < kLong)
    return nb::bytes(reinterpret_cast<const char*>(frame.data()), frame.size());
  return array_seen_as<std::uint8_t>(std::move(frame));
}

template <class Message>
Frame frame_of(const Message& message) {
  Frame frame;
  encode(message, frame);
  return frame;
}

MessageKind kind_of(std::span<const std::byte> frame, std::size_t dimension) {
  return read_head(frame.first(std::min(frame.size(), kFrameHeadBytes)), dimension).kind;
}

// What is minimised, built anew in each process, and how.
class Job {
 public:
  Job(std::unique_ptr<Finished> run, Settings settings)
      : run_(std::move(run)), settings_(std::move(settings)), problem_(problem_of(*run_)) {
    settings_.options.runtime = Runtime::cluster;
  }

  const RunProblem& problem() const { return problem_; }

  std::string plan(bool pipelined, std::optional<std::int64_t> batch_size) const {
    Options options = settings_.options;
    options.cluster.pipelined = pipelined;
    if (batch_size) options.batch_size = batch_size;
    if (run_->fit) options = run_options(*run_->fit, std::move(options));
    options.x0 = problem_.x0;
    const nb::gil_scoped_release released;
    return plan_json(make_plan(problem_.problem, options).plan);
  }

  std::string fingerprint() const {
    if (!run_->fit) return "";
    const nb::gil_scoped_release released;
    return asynprox::fingerprint(run_->fit->data);
  }

  // Of gradients of that many samples at the start, the first ones.
  double gradient_seconds(std::size_t samples) const {
    const AnyFiniteSum& f = problem_.problem.f;
    const nb::gil_scoped_release released;
    const Vector x = problem_.x0.value_or(Vector(f.dimension(), 0));
    std::vector<SampleIndex> drawn(std::min(samples, f.num_samples()));
    std::iota(drawn.begin(), drawn.end(), SampleIndex{0});
    Vector gradient(f.dimension(), 0);
    const Clock::time_point start = Clock::now();
    f.add_gradient(x, drawn, {}, gradient);
    return seconds_since(start);
  }

  // f + h at each of several models, one after the other in `models`.
  Vector objectives(const Doubles& models) const {
    const Problem& problem = problem_.problem;
    const std::size_t d = problem.f.dimension();
    require(models.size() % d == 0, "models: expected whole models");
    const std::span<const double> numbers(models.data(), models.size());
    const nb::gil_scoped_release released;
    Vector values;
    for (std::size_t from = 0; from < numbers.size(); from += d)
      values.push_back(objective(problem, numbers.subspan(from, d)).total());
    return values;
  }

  // The same run on a virtual cluster whose machines do `rate` samples per second, where a message
  // takes `latency` seconds each way and the server needs so long for a push: steps, seconds and
  // objective after each step.
  nb::tuple simulate(double rate, double latency, double push_seconds) const {
    Options options = settings_.options;
    options.runtime = Runtime::simulated;
    options.pace.reset();
    options.trace_every = 1;
    options.cluster.compute = ConstantTime{.rate = rate};
    options.cluster.latency_up = options.cluster.latency_down = latency;
    options.cluster.push_seconds = push_seconds;
    Result result;
    {
      const nb::gil_scoped_release released;
      result = run_->fit ? solve(*run_->fit, options) : solve(*run_->f, run_->h, options);
    }
    std::vector<std::int64_t> steps;
    Vector seconds, objectives;
    for (const Evaluation& at : result.trace) {
      steps.push_back(at.steps);
      seconds.push_back(at.seconds);
      objectives.push_back(at.objective);
    }
    return nb::make_tuple(array_of(std::move(steps)), array_of(std::move(seconds)),
                          array_of(std::move(objectives)));
  }

  // The run is over: what the server's process said of it, as minimize() has it. Once.
  std::unique_ptr<Finished> finished(const std::string& text, const Doubles& x,
                                     const Doubles& intercept,
                                     const std::optional<nb::bytes>& events) {
    require(run_ != nullptr, "finished: called before");
    Finished& run = *run_;
    run.record.result = result_from_text(text);
    run.record.result.x = vector_of(x);
    run.record.result.intercept = vector_of(intercept);
    run.recorded = events.has_value();
    if (events) {
      run.events.resize(events->size() / sizeof(Event));
      if (!run.events.empty())
        std::memcpy(static_cast<void*>(run.events.data()), events->c_str(), events->size());
    }
    complete(settings_, run);
    return std::move(run_);
  }

 private:
  static RunProblem problem_of(const Finished& run) {
    if (run.fit) return run_problem(*run.fit);
    return {.problem = make_problem(*run.f, run.h), .x0 = run.x0};
  }

  std::unique_ptr<Finished> run_;
  Settings settings_;
  RunProblem problem_;
};

// The server of a run. Calls are made one at a time; interrupt() from any thread.
class Served {
 public:
  Served(const Job& job, const std::string& plan, bool record, bool keep_models)
      : problem_(job.problem()) {
    RunHooks hooks = {.interrupt = &interrupt_, .on_evaluation = [this](const Evaluation& now) {
                        evaluations_.push_back(evaluation_text(now));
                      }};
    if (record)
      hooks.on_events = [this](std::span<const Event> events) {
        events_.insert(events_.end(), events.begin(), events.end());
      };
    recorded_ = record;
    const Plan made = plan_from_json(plan);
    const nb::gil_scoped_release released;
    run_.emplace(problem_.problem, made, problem_.x0, std::move(hooks), keep_models);
    answers_.resize(made.workers.slots);
  }

  // "taken", "repeated" or "fenced"; the worker that sent it; and what to send to whom.
  nb::tuple receive(const nb::object& message) {
    const Bytes bytes(message);
    Arrival arrival = Arrival::taken;
    int worker = 0;
    {
      const nb::gil_scoped_release released;
      const std::size_t dimension = problem_.problem.f.dimension();
      if (kind_of(bytes.view(), dimension) == MessageKind::pull) {
        Pull pull;
        decode(bytes.view(), dimension, pull);
        worker = pull.worker;
        arrival = run_->receive(pull, replies_);
      } else {
        decode(bytes.view(), dimension, push_);
        worker = push_.id.worker;
        arrival = run_->receive(push_, replies_);
      }
    }
    const std::string words = arrival == Arrival::taken      ? "taken"
                              : arrival == Arrival::repeated ? "repeated"
                                                             : "fenced";
    if (arrival == Arrival::taken) answers_[worker] = nb::object();
    nb::list letters = hand_over();
    if (arrival == Arrival::repeated && answers_[worker].is_valid())
      letters.append(nb::make_tuple(worker, answers_[worker]));
    if (arrival == Arrival::fenced) {
      Reply stopped;
      stopped.worker = worker;
      stopped.verdict = Verdict::stopped;
      letters.append(nb::make_tuple(worker, message_of(frame_of(stopped))));
    }
    return nb::make_tuple(words, worker, letters);
  }

  nb::list watch() {
    {
      const nb::gil_scoped_release released;
      run_->watch(replies_);
    }
    return hand_over();
  }
  nb::list leave(int worker) {
    {
      const nb::gil_scoped_release released;
      run_->leave(worker, replies_);
    }
    answers_.at(worker) = nb::object();
    return hand_over();
  }
  nb::list stop() {
    run_->stop(StopReason::interrupted, replies_);
    return hand_over();
  }
  void interrupt() { interrupt_ = true; }

  // What came of it: text, x, intercept, and the events if it was recorded.
  nb::tuple finish() {
    Result result;
    {
      const nb::gil_scoped_release released;
      result = problem_.result(run_->finish());
    }
    nb::object events = nb::none();
    if (recorded_)
      events =
          nb::bytes(reinterpret_cast<const char*>(events_.data()), events_.size() * sizeof(Event));
    return nb::make_tuple(result_text(result), array_of(std::move(result.x)),
                          array_of(std::move(result.intercept)), events);
  }

  // Steps and seconds of the models kept, and their numbers, one model after the other.
  nb::tuple kept_models() const {
    std::vector<std::int64_t> steps;
    Vector seconds, numbers;
    for (const KeptModel& kept : run_->kept_models()) {
      steps.push_back(kept.steps);
      seconds.push_back(kept.seconds);
      numbers.insert(numbers.end(), kept.x.begin(), kept.x.end());
    }
    return nb::make_tuple(array_of(std::move(steps)), array_of(std::move(seconds)),
                          array_of(std::move(numbers)));
  }

  const ServedRun& run() const { return *run_; }
  const std::vector<std::string>& evaluations() const { return evaluations_; }

 private:
  // The replies as letters: (worker, message).
  nb::list hand_over() {
    nb::list letters;
    for (const Reply& reply : replies_) {
      const nb::object letter = message_of(frame_of(reply));
      answers_.at(reply.worker) = letter;
      letters.append(nb::make_tuple(reply.worker, letter));
    }
    replies_.clear();
    return letters;
  }

  RunProblem problem_;
  std::atomic<bool> interrupt_ = false;
  bool recorded_ = false;
  std::vector<Event> events_;
  std::vector<std::string> evaluations_;
  std::vector<nb::object>
      answers_;  // by worker: to its newest message; invalid while there is none
  Replies replies_;
  Push push_;  // the one that came last: its buffers are used again
  std::optional<ServedRun> run_;
};

// A worker in one of its lives.
class RemoteWorker {
 public:
  RemoteWorker(const Job& job, const std::string& text, int number, int life)
      : plan_(plan_from_json(text)),
        worker_(make_worker(job.problem().problem, plan_,
                            vectors_of(job.problem().problem, plan_, job.problem().x0), number)),
        dimension_(job.problem().problem.f.dimension()) {
    for (int i = 0; i < life; ++i) worker_.rejoin();
  }

  nb::object pull() const { return message_of(frame_of(worker_.pull())); }

  // The push that answers a reply; None: the run is over for this worker.
  nb::object answer(const nb::object& message) {
    const Bytes bytes(message);
    Frame frame;
    {
      const nb::gil_scoped_release released;
      decode(bytes.view(), dimension_, reply_, models_);
      const Clock::time_point start = Clock::now();
      if (worker_.answer(reply_, push_)) {
        compute_seconds_ = seconds_since(start);
        push_.compute_seconds = static_cast<float>(compute_seconds_);
        encode(push_, frame);
      }
    }
    return frame.empty() ? nb::none() : message_of(std::move(frame));
  }

  double compute_seconds() const { return compute_seconds_; }
  std::int64_t num_samples() const { return push_.num_samples; }  // of the last push
  // The least time that a push of so many samples takes; 0: as long as it takes.
  double seconds_least() const {
    const std::optional<double>& pace = plan_.execution.pace;
    return pace ? static_cast<double>(push_.num_samples) / *pace : 0;
  }

 private:
  Plan plan_;
  Worker worker_;
  std::size_t dimension_;
  Reply reply_;
  ModelBuffers models_;
  Push push_;
  double compute_seconds_ = 0;
};

// All entries as float32, row by row.
nb::object dense_rows(const Data& data) {
  const Rows& rows = data.dataset.rows;
  const std::size_t d = rows.num_columns();
  std::vector<float> numbers(rows.num_rows() * d);
  walk_rows(rows, [&](std::size_t i, std::span<const RowEntry> entries) {
    for (const RowEntry& entry : entries)
      if (entry.column < d) numbers[i * d + entry.column] += static_cast<float>(entry.value);
  });
  return array_of(std::move(numbers));
}

void add_job(nb::module_& module) {
  nb::class_<Job>(module, "Job")
      .def_static(
          "fit",
          [](nb::object data, const Call& call) {
            Settings settings;
            auto run = prepared_fit(nb::cast<const Data&>(data), data, call, settings);
            return std::make_unique<Job>(std::move(run), std::move(settings));
          },
          nb::arg("data"), nb::arg("call"))
      .def_static(
          "sum",
          [](const nb::object& sum, const Call& call) {
            Settings settings;
            auto run = prepared_sum(sum, call, settings);
            return std::make_unique<Job>(std::move(run), std::move(settings));
          },
          nb::arg("sum"), nb::arg("call"))
      .def("plan", &Job::plan, nb::arg("pipelined"), nb::arg("batch_size").none())
      .def_prop_ro("fingerprint", &Job::fingerprint)
      .def_prop_ro("dimension", [](const Job& job) { return job.problem().problem.f.dimension(); })
      .def_prop_ro("num_samples",
                   [](const Job& job) { return job.problem().problem.f.num_samples(); })
      .def_prop_ro("regularizer", [](const Job& job) { return job.problem().problem.h.spec(); })
      .def("simulate", &Job::simulate, nb::arg("rate"), nb::arg("latency"), nb::arg("push_seconds"))
      .def("gradient_seconds", &Job::gradient_seconds, nb::arg("samples"))
      .def(
          "objectives",
          [](const Job& job, const Doubles& models) { return array_of(job.objectives(models)); },
          nb::arg("models"))
      .def("finished", &Job::finished, nb::arg("text"), nb::arg("x"), nb::arg("intercept"),
           nb::arg("events").none());
}

void add_served(nb::module_& module) {
  nb::class_<Served>(module, "Served")
      .def(nb::init<const Job&, const std::string&, bool, bool>(), nb::arg("job"), nb::arg("plan"),
           nb::arg("record"), nb::arg("keep_models"), nb::keep_alive<1, 2>())
      .def("next_life",
           [](const Served& served, int worker) { return served.run().next_life(worker); })
      .def("receive", &Served::receive, nb::arg("message"))
      .def("watch", &Served::watch)
      .def("leave", &Served::leave, nb::arg("worker"))
      .def("stop", &Served::stop)
      .def("interrupt", &Served::interrupt)
      .def("finish", &Served::finish)
      .def("kept_models", &Served::kept_models)
      .def_prop_ro("evaluations", &Served::evaluations)
      .def_prop_ro("evaluation_due", [](const Served& s) { return s.run().evaluation_due(); })
      .def_prop_ro("begun", [](const Served& s) { return s.run().begun(); })
      .def_prop_ro("over", [](const Served& s) { return s.run().over(); })
      .def_prop_ro("steps", [](const Served& s) { return s.run().server().version(); });
}

void add_worker(nb::module_& module) {
  nb::class_<RemoteWorker>(module, "RemoteWorker")
      .def(nb::init<const Job&, const std::string&, int, int>(), nb::arg("job"), nb::arg("plan"),
           nb::arg("number"), nb::arg("life"), nb::keep_alive<1, 2>())
      .def("pull", &RemoteWorker::pull)
      .def("answer", &RemoteWorker::answer, nb::arg("reply"))
      .def_prop_ro("compute_seconds", &RemoteWorker::compute_seconds)
      .def_prop_ro("num_samples", &RemoteWorker::num_samples)
      .def_prop_ro("seconds_least", &RemoteWorker::seconds_least);
}

}  // namespace

void add_cluster(nb::module_& module) {
  add_job(module);
  add_served(module);
  add_worker(module);
  module.def("progress_of", &evaluation_from_text, nb::arg("text"));
  module.def(
      "read_data",
      [](const std::string& path) {
        const nb::gil_scoped_release released;
        return Data{read_dataset(path), nb::object()};
      },
      nb::arg("path"));
  module.def("dense_rows", &dense_rows, nb::arg("data"));
  module.def("label_numbers", [](const Data& data) { return array_of(data.dataset.labels); });
  module.def("label_names", [](const Data& data) { return data.dataset.label_names; });
}

}  // namespace asynprox::python
