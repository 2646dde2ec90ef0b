#include "cli/lab/simulator.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/source.h"
#include "base/text.h"
#include "cli/generate.h"

namespace rch::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookAgain{5};
/// ibsim prints it when it has done what it was asked.
constexpr std::string_view kPrompt = "sim> ";
/// Sockets of an ibsim: one for each of the 10 clients that it can have, and one where they attach.
constexpr int kSockets = 11;
/// ibsim cuts off the rest of a longer command.
constexpr std::size_t kLongestCommand = 126;

std::string text_of(const std::filesystem::path& file) {
  return read_file(file.string()).value_or(std::string());
}

/// Abstract sockets that are bound under the name.
int bound_sockets(const std::string& name) {
  const std::string sockets = text_of("/proc/net/unix");
  int bound = 0;
  for (std::size_t at = 0; (at = sockets.find("@" + name + ":", at)) != std::string::npos; ++at) ++bound;
  return bound;
}

/// The size of a fabric, as ibsim has to be told it.
std::vector<std::string> arguments_for(const fabric::Fabric& fabric, const std::string& file) {
  std::size_t ports = 64;
  for (const fabric::Node& node : fabric.nodes())
    ports += std::size_t{node.num_ports} + (node.type == fabric::NodeType::sw ? 1 : 0);
  constexpr std::string_view kUnicastEntries = "49152", kMulticastEntries = "1024";
  return {"ibsim", "-s",
          "-N",    std::to_string(fabric.nodes().size() + 16),
          "-S",    std::to_string(fabric.switch_count() + 4),
          "-P",    std::to_string(ports),
          "-L",    std::string(kUnicastEntries),
          "-M",    std::string(kMulticastEntries),
          file};
}

std::filesystem::path program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = std::string(path != nullptr ? path : "") + ":/usr/bin:/usr/sbin";
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const auto candidate = std::filesystem::path(folders.substr(begin, end - begin)) / name;
    if (candidate.is_absolute() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return {};
}

/// Pointers into `words`, as exec takes them.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

tl::unexpected<Error> failed(const std::string& what) {
  return fail(ErrorKind::usage, fmt::format("{}: {}", what, std::strerror(errno)));
}

int opened(const std::filesystem::path& file, int flags) {
  return ::open(file.c_str(), flags | O_CLOEXEC, 0600);
}

}  // namespace

std::string simulated_id(const fabric::Node& node) {
  constexpr std::string_view kLetters = "?HSR";  // by NodeType
  return fmt::format("{}-{:016x}", kLetters[static_cast<std::size_t>(node.type)], node.guid.value);
}

std::string Simulator::socket_name() const { return folder_.filename().string(); }

Result<std::unique_ptr<Simulator>> Simulator::start(const fabric::Fabric& fabric) {
  std::string pattern = (std::filesystem::temp_directory_path() / "rch-lab.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return failed("cannot make the folder of the lab");
  std::unique_ptr<Simulator> simulator(new Simulator(pattern));
  if (const auto launched = simulator->launch(fabric); !launched) return tl::unexpected(launched.error());
  if (const auto ready = simulator->wait_until_ready(fabric.nodes().size()); !ready)
    return tl::unexpected(ready.error());
  return simulator;
}

/// ibsim runs in a session of its own, so that an interrupt from the terminal does not reach it, and dies
/// with this process. Its console is open for reading and writing: it never sees an end of file.
Result<void> Simulator::launch(const fabric::Fabric& fabric) {
  const auto executable = program("ibsim");
  if (executable.empty())
    return fail(ErrorKind::usage, "the lab needs `ibsim`, of the Debian package ibsim-utils");
  const auto net = folder_ / "fabric.net";
  if (auto written = write_fabric(fabric, fabric::Format::ibnetdiscover, net.string()); !written)
    return written;
  if (::mkfifo((folder_ / "console").c_str(), 0600) != 0) return failed("cannot make the console of the lab");
  const std::array<int, 3> streams{opened(folder_ / "console", O_RDWR),
                                   opened(folder_ / "ibsim.out", O_WRONLY | O_CREAT),
                                   opened(folder_ / "ibsim.err", O_WRONLY | O_CREAT)};
  std::vector<std::string> words = arguments_for(fabric, net.string());
  std::vector<std::string> settings{"IBSIM_SOCKNAME=" + socket_name(), "PATH=/usr/bin:/bin", "LC_ALL=C"};
  const std::vector<char*> argument_list = pointers(words), environment = pointers(settings);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int to = 0; to < 3; ++to) ::dup2(streams[static_cast<std::size_t>(to)], to);
    ::execve(executable.c_str(), argument_list.data(), environment.data());
    ::_exit(127);
  }
  for (const int stream : streams) ::close(stream);
  return pid_ > 0 ? Result<void>() : failed("cannot start ibsim");
}

Result<void> Simulator::wait_until_ready(std::size_t nodes) const {
  const double thousands = static_cast<double>(nodes) / 1000;
  const auto until =
      Clock::now() + std::chrono::milliseconds(static_cast<int>(1000 * (20 + thousands * thousands)));
  while (Clock::now() < until) {
    if (bound_sockets(socket_name()) == kSockets && text_of(folder_ / "ibsim.out").ends_with(kPrompt))
      return {};
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_)
      return fail(ErrorKind::usage,
                  "ibsim does not take the fabric: " +
                      std::string(trim(text_of(folder_ / "ibsim.out") + text_of(folder_ / "ibsim.err"))));
    std::this_thread::sleep_for(kLookAgain);
  }
  return fail(ErrorKind::usage, "ibsim is not ready in time");
}

Simulator::~Simulator() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);  // it has nothing to save
    ::waitpid(pid_, nullptr, 0);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

namespace {

/// Keeps other commands off the console until it is destroyed.
class ConsoleLock {
 public:
  explicit ConsoleLock(const std::filesystem::path& folder)
      : file_(opened(folder / "console.lock", O_RDWR | O_CREAT)) {
    if (file_ >= 0) ::flock(file_, LOCK_EX);
  }
  ~ConsoleLock() {
    if (file_ >= 0) ::close(file_);
  }
  ConsoleLock(const ConsoleLock&) = delete;
  ConsoleLock& operator=(const ConsoleLock&) = delete;

 private:
  int file_;
};

Result<std::string> answer_behind(const std::filesystem::path& output, std::size_t begin) {
  const auto until = Clock::now() + std::chrono::seconds(10);
  while (Clock::now() < until) {
    const std::string text = text_of(output);
    if (text.size() >= begin + kPrompt.size() && text.ends_with(kPrompt))
      return text.substr(begin, text.size() - begin - kPrompt.size());
    std::this_thread::sleep_for(kLookAgain);
  }
  return fail(ErrorKind::usage, "the simulator does not answer");
}

}  // namespace

Result<std::string> ask_console(const std::filesystem::path& folder, const std::string& command) {
  if (command.size() > kLongestCommand) return fail(ErrorKind::usage, "the command is too long for ibsim");
  const ConsoleLock lock(folder);
  const std::size_t begin = text_of(folder / "ibsim.out").size();
  const int console = opened(folder / "console", O_WRONLY | O_NONBLOCK);
  if (console < 0) return failed(fmt::format("no simulator runs in `{}`", folder.string()));
  const std::string line = command + "\n";
  const bool written = ::write(console, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  ::close(console);
  if (!written) return failed("cannot write to the console of the simulator");
  auto answer = answer_behind(folder / "ibsim.out", begin);
  // Complaints are comments.
  if (answer && answer->starts_with("# "))
    return fail(ErrorKind::usage, "ibsim: " + std::string(trim(answer->substr(2))));
  return answer;
}

}  // namespace rch::cli
