#include "cli/slurm_array.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/source.h"
#include "base/text.h"

extern char** environ;

namespace rch::cli {
namespace {

constexpr unsigned kMostAttempts = 3;
/// From question to question about the queue, the first and the longest.
constexpr std::chrono::milliseconds kFirstWait{500}, kLongestWait{10'000};
/// Questions in a row that Slurm may leave unanswered: five minutes.
constexpr unsigned kMostUnanswered = 30;

/// What a program that has ended printed.
struct Ended {
  int code = -1;  ///< 128 and the number of the signal that ended it
  std::string output, errors;
};

/// An unnamed file in memory.
class Memory {
 public:
  Memory() : file_(::memfd_create("output", MFD_CLOEXEC)) {}
  ~Memory() {
    if (file_ >= 0) ::close(file_);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  int file() const { return file_; }
  std::string text() const {
    std::string all;
    char part[4096];
    off_t at = 0;
    for (ssize_t got = 0; (got = ::pread(file_, part, sizeof part, at)) > 0; at += got)
      all.append(part, static_cast<std::size_t>(got));
    return all;
  }

 private:
  int file_;
};

Result<Ended> run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Memory output, errors;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.file(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.file(), STDERR_FILENO);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    return fail(ErrorKind::usage,
                fmt::format("cannot run `{}`: {}", words.front(), std::generic_category().message(failed)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return Ended{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output.text(),
               errors.text()};
}

/// For a shell, whatever the word holds.
std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

std::string script_file(const SlurmArray& array) { return array.folder + "/job.sh"; }
/// Holds the number of the last job.
std::string job_file(const SlurmArray& array) { return array.folder + "/job"; }

/// Tasks of a job that wait or run. None: Slurm does not answer.
Result<std::optional<std::set<std::uint64_t>>> tasks_in_queue(const std::string& job) {
  const auto ended = run_program({"squeue", "--noheader", "--array", "--format=%K", "--jobs=" + job});
  if (!ended) return tl::unexpected(ended.error());
  std::set<std::uint64_t> tasks;
  // A job that ended some time ago is not known any more.
  if (ended->code != 0 && ended->errors.find("Invalid job id") != std::string::npos) return tasks;
  if (ended->code != 0) return std::nullopt;
  std::string_view text = ended->output;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto task = parse_integer(trim(text.substr(0, end)))) tasks.insert(*task);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return tasks;
}

Result<std::string> submit(const SlurmArray& array, const std::vector<std::uint64_t>& tasks) {
  std::vector<std::string> words{"sbatch", "--parsable", fmt::format("--array={}", fmt::join(tasks, ",")),
                                 "--job-name=rch-whatif", fmt::format("--output={}/%a.log", array.folder)};
  words.insert(words.end(), array.options.begin(), array.options.end());
  words.push_back(script_file(array));
  const auto ended = run_program(words);
  if (!ended) return tl::unexpected(ended.error());
  // `JOB` or `JOB;CLUSTER`
  const std::string job(trim(std::string_view(ended->output).substr(0, ended->output.find(';'))));
  if (ended->code == 0 && parse_integer(job)) return job;
  return fail(ErrorKind::usage,
              fmt::format("sbatch ends with {}: {}", ended->code, trim(ended->errors + ended->output)));
}

/// One call of run_array().
class ArrayRun {
 public:
  ArrayRun(const SlurmArray& array, const std::function<Result<bool>(std::uint64_t)>& is_there,
           const std::function<void(const std::string&)>& tell)
      : array_(array), is_there_(is_there), tell_(tell) {}

  Result<void> run() {
    if (auto begun = begin(); !begun) return begun;
    for (unsigned attempt = 0;; ++attempt) {
      const auto missing = missing_tasks();
      if (!missing) return tl::unexpected(missing.error());
      if (missing->empty()) return {};
      if (attempt == kMostAttempts)
        return fail(
            ErrorKind::usage,
            fmt::format("{} ended without a result {} times: {} of `{}`; their output is in `{}/{}.log`",
                        counted(missing->size(), "task"), kMostAttempts, fmt::join(*missing, ", "),
                        script_file(array_), array_.folder, missing->front()));
      const auto job = submit(array_, *missing);
      if (!job) return tl::unexpected(job.error());
      if (auto kept = write_file(job_file(array_), *job + "\n"); !kept) return kept;
      tell_(fmt::format("job {}: {}", *job, counted(missing->size(), "task")));
      if (auto waited = wait_for(*job); !waited) return waited;
    }
  }

 private:
  /// The folder with its script, and what an earlier call left in the queue.
  Result<void> begin() {
    std::error_code failed;
    std::filesystem::create_directories(array_.folder, failed);
    if (auto written = write_file(script_file(array_), batch_script(array_)); !written) return written;
    if (!std::filesystem::exists(job_file(array_), failed)) return {};
    const auto job = read_file(job_file(array_));
    if (!job) return tl::unexpected(job.error());
    return wait_for(std::string(trim(*job)));
  }

  Result<std::vector<std::uint64_t>> missing_tasks() const {
    std::vector<std::uint64_t> missing;
    for (std::uint64_t task = 1; task <= array_.tasks; ++task) {
      const auto there = is_there_(task);
      if (!there) return tl::unexpected(there.error());
      if (!*there) missing.push_back(task);
    }
    return missing;
  }

  Result<void> wait_for(const std::string& job) const {
    std::optional<std::size_t> told;
    unsigned unanswered = 0;
    for (auto wait = kFirstWait;; wait = std::min(2 * wait, kLongestWait)) {
      const auto tasks = tasks_in_queue(job);
      if (!tasks) return tl::unexpected(tasks.error());
      unanswered = *tasks ? 0 : unanswered + 1;
      if (unanswered == kMostUnanswered)
        return fail(ErrorKind::usage,
                    fmt::format("squeue does not tell of job {}: run the same command again later", job));
      if (*tasks && (*tasks)->empty()) return {};
      if (*tasks && told != (*tasks)->size()) {
        told = (*tasks)->size();
        tell_(fmt::format("job {}: {} left", job, counted(*told, "task")));
      }
      std::this_thread::sleep_for(wait);
    }
  }

  const SlurmArray& array_;
  const std::function<Result<bool>(std::uint64_t)>& is_there_;
  const std::function<void(const std::string&)>& tell_;
};

}  // namespace

std::string result_file(const SlurmArray& array, std::uint64_t task) {
  return fmt::format("{}/{}.json", array.folder, task);
}

std::string batch_script(const SlurmArray& array) {
  std::vector<std::string> words;
  for (const std::string& word : array.command) words.push_back(shell_word(word));
  return fmt::format(
      "#!/bin/sh\n"
      "# One shard of a study of `rch whatif`: that with the number of the task.\n"
      "{} --shard \"$SLURM_ARRAY_TASK_ID/{}\" -o {}/\"$SLURM_ARRAY_TASK_ID.json\"\n"
      "code=$?\n"
      "# 1 says that some case breaks something, which is a result.\n"
      "[ \"$code\" -le 1 ] && exit 0\n"
      "exit \"$code\"\n",
      fmt::join(words, " "), array.tasks, shell_word(array.folder));
}

Result<void> run_array(const SlurmArray& array, const std::function<Result<bool>(std::uint64_t)>& is_there,
                       const std::function<void(const std::string&)>& tell) {
  return ArrayRun(array, is_there, tell).run();
}

}  // namespace rch::cli
