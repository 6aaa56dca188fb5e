// asynprox reproduce: the paper's experiments, and what they leave open.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/base/new_file.h"
#include "asynprox/report/machine.h"

#include "cli/claimed_folder.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "reproduce/page.h"
#include "reproduce/reproduction.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

// The folder of the findings: each table and picture as it comes, the rest at the end.
class Folder {
 public:
  explicit Folder(const ReproduceArguments& arguments) : folder_(arguments.out, arguments.force) {
    if (arguments.data) require_not_inside(*arguments.data);
  }

  void prepare() {
    folder_.claim();
    folder_.remove_leftovers([](std::string_view name) {
      return name.ends_with(".csv") || name.ends_with(".svg") || name == "paper.md" ||
             name == "reproduction.json";
    });
  }

  void write(const std::string& name, std::string_view text) {
    // What an older run says of all its tables is not true of a mixture.
    std::error_code ignored;
    if (!std::exchange(begun_, true))
      for (const char* older : {"paper.md", "reproduction.json"})
        fs::remove(fs::path(folder_.path()) / older, ignored);
    // A link or a pipe of that name is replaced, not followed.
    NewFile file((fs::path(folder_.path()) / name).string());
    file.write_at(0, std::as_bytes(std::span(text)));
    file.keep();
  }

 private:
  // Data that lies in the folder could have the name of a table.
  void require_not_inside(const std::string& data) const {
    std::error_code ignored;
    const fs::path file = fs::canonical(data, ignored);
    require(file.empty() || !fs::equivalent(file.parent_path(), folder_.path(), ignored),
            fmt::format("--out: expected another folder than that of the data {}", data));
  }

  ClaimedFolder folder_;
  bool begun_ = false;
};

// What is being done, on one line; and a line for each thing found.
class Telling {
 public:
  explicit Telling(bool wanted) : wanted_(wanted), line_(wanted) {}

  void doing(const std::string& text) { line_.show(fmt::format("{:.0f} s  {}", seconds(), text)); }
  void found(const std::string& file) {
    if (wanted_) say(fmt::format("{:6.1f} s  {}", seconds(), file));
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool wanted_;
  ProgressLine line_;
};

std::optional<std::string> data_folder(const ReproduceArguments& arguments) {
  std::optional<std::string> folder = arguments.data_dir;
  if (const char* named = std::getenv("ASYNPROX_DATA_DIR"); !folder && named && *named != '\0')
    folder = std::string(named);
  std::error_code ignored;
  if (folder && !fs::is_directory(*folder, ignored))
    throw DataError(*folder + ": expected a folder with a9a and mnist");
  return folder;
}

std::string command_of(const ReproduceArguments& arguments) {
  std::string text = "asynprox reproduce";
  if (arguments.quick) text += " --quick";
  if (arguments.data) text += " --data " + *arguments.data;
  if (arguments.seeds) text += fmt::format(" --seeds {}", *arguments.seeds);
  return text;
}

std::string machine_text() {
  const Machine machine = this_machine();
  return fmt::format("{}, {} cores", machine.processor, machine.cores);
}

}  // namespace

int run(const ReproduceArguments& arguments) {
  Folder folder(arguments);
  const std::optional<std::string> data = data_folder(arguments);
  folder.prepare();
  const SignalWatch signals;
  Telling telling(!arguments.quiet);
  reproduce::Findings findings;
  findings.on_table = [&](const reproduce::Table& table) {
    folder.write(table.name + ".csv", csv(table));
    telling.found(table.name + ".csv");
  };
  findings.on_figure = [&](const reproduce::Figure& figure) {
    folder.write(figure.name + ".svg", svg(figure.chart));
    folder.write(figure.name + "_points.csv", csv(figure));
    telling.found(figure.name + ".svg");
  };
  findings.on_note = [](const std::string& note) { say_warning(note); };
  const bool complete = reproduce::reproduce_all(
      {.data_folder = data,
       .data = arguments.data,
       .quick = arguments.quick,
       .seeds = arguments.seeds,
       .watch = {.interrupt = &signals.flag(),
                 .say = [&](const std::string& text) { telling.doing(text); }}},
      findings);
  folder.write("reproduction.json", json(findings));
  folder.write("paper.md", page(findings, {.command = command_of(arguments),
                                           .machine = machine_text(),
                                           .complete = complete}));
  telling.found("reproduction.json, paper.md in " + arguments.out);
  if (arguments.json)
    print(json(findings));
  else
    print_words(summary(findings));
  flush_output();
  return complete ? kDone : signals.exit_code();
}

}  // namespace asynprox::cli
