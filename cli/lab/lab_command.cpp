// `rch lab`: a command, or a shell, that takes a simulated fabric for the one behind a port of this machine.
//
// ibsim holds the fabric. Programs of libibumad reach it because umad.c is loaded before their libraries: it
// answers for the devices of the kernel. Whatever the command leaves behind ends with it, and so does ibsim.

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/source.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/generate.h"
#include "cli/lab/lab.h"
#include "cli/lab/simulator.h"
#include "cli/names.h"
#include "cli/target.h"

namespace rch::cli {
namespace {

constexpr const char* kPreload = "lab_umad.so";

struct LabFlags {
  std::string fabric, host;
  std::vector<std::string> command, unplug, plug;

  bool turns_cable() const { return !unplug.empty() || !plug.empty(); }
};

/// The library that stands in for the devices: beside the program, as it is built, or where it is installed.
Result<std::filesystem::path> preload_library() {
  std::error_code unknown;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const auto& candidate : {self / kPreload, self / RCH_LAB_LIBRARY_FOLDER / kPreload})
    if (std::filesystem::exists(candidate, unknown)) return std::filesystem::weakly_canonical(candidate);
  return fail(ErrorKind::usage, fmt::format("the lab needs `{}`, which is installed beside rch", kPreload));
}

/// Of `--host`, else the node that the fabric was seen from, else the first host.
Result<NodeId> node_of_commands(const fabric::Fabric& fabric, const std::string& host) {
  if (!host.empty()) {
    const auto port = find_end_port(fabric, host);
    if (!port) return tl::unexpected(port.error());
    return fabric.port(port->port).node;
  }
  if (fabric.origin()) return fabric.port(*fabric.origin()).node;
  for (const fabric::EndPort& end : fabric.end_ports())
    if (const NodeId node = fabric.port(end.port).node; fabric.node(node).type == fabric::NodeType::ca)
      return node;
  return fail(ErrorKind::usage, "the fabric has no host to run a command on");
}

/// Set in the lab, whatever they are outside.
std::vector<std::pair<std::string, std::string>> settings_of(const Simulator& simulator,
                                                             const std::string& node,
                                                             const std::string& library) {
  const char* before = std::getenv("LD_PRELOAD");
  const char* path = std::getenv("PATH");
  std::error_code unknown;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  const std::string folder = simulator.folder().string();
  return {
      {"IBSIM_SOCKNAME", simulator.socket_name()},
      {"SIM_HOST", node},
      {"LAB_UMAD_DIR", folder},
      {"OSM_CACHE_DIR", folder + "/cache"},
      {kLabFolder, folder},
      {"PATH", fmt::format("{}:{}", path != nullptr ? path : "/usr/bin:/bin", self.string())},
      {"LD_PRELOAD", before != nullptr && *before != '\0' ? fmt::format("{}:{}", before, library) : library}};
}

std::atomic<pid_t> running_command = 0;

void pass_on(int signal) { ::kill(running_command, signal); }

/// While it lives: interrupts from the terminal are the command's, and requests to end are passed on to it.
class CommandSignals {
 public:
  CommandSignals() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      struct sigaction action {};
      const bool is_from_terminal = kSignals[i] == SIGINT || kSignals[i] == SIGQUIT;
      action.sa_handler = is_from_terminal ? SIG_IGN : pass_on;
      ::sigaction(kSignals[i], &action, &before_[i]);
    }
  }
  ~CommandSignals() { restore(); }
  CommandSignals(const CommandSignals&) = delete;
  CommandSignals& operator=(const CommandSignals&) = delete;

  void restore() const {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kSignals)]{};
};

/// Runs the command and returns its exit code, or 128 and the number of the signal that ended it.
int run_command(std::vector<std::string> words,
                const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const CommandSignals signals;
  const pid_t command = ::fork();
  if (command == 0) {
    signals.restore();
    for (const auto& [name, value] : settings) ::setenv(name.c_str(), value.c_str(), 1);
    ::unsetenv("SIM_SET_ISSM");
    ::execvp(arguments.front(), arguments.data());
    std::fprintf(stderr, "rch: error: cannot run `%s`: %s\n", arguments.front(), std::strerror(errno));
    ::_exit(127);
  }
  running_command = command;
  int status = 0;
  while (::waitpid(command, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Children of this process, among them those whose parents have ended.
std::vector<pid_t> children_but(pid_t spared) {
  const auto list = read_file(fmt::format("/proc/self/task/{}/children", ::getpid()));
  std::vector<pid_t> children;
  std::istringstream words(list.value_or(std::string()));
  for (pid_t child = 0; words >> child;)
    if (child != spared) children.push_back(child);
  return children;
}

/// Ends what the command left running: by request, and by force after 5 seconds.
void end_remains(pid_t simulator) {
  using Clock = std::chrono::steady_clock;
  const auto patience = Clock::now() + std::chrono::seconds(5);
  const auto limit = patience + std::chrono::seconds(1);
  std::vector<pid_t> asked;
  for (auto left = children_but(simulator); !left.empty() && Clock::now() < limit;
       left = children_but(simulator)) {
    for (const pid_t child : left) {
      const bool is_late = Clock::now() > patience;
      if (!is_late && std::ranges::find(asked, child) != asked.end()) continue;
      ::kill(child, is_late ? SIGKILL : SIGTERM);
      ::kill(child, SIGCONT);
      asked.push_back(child);
    }
    for (const pid_t child : left) ::waitpid(child, nullptr, WNOHANG);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void greet(const fabric::Fabric& fabric, NodeId node) {
  const auto hosts = std::ranges::count(fabric.nodes(), fabric::NodeType::ca, &fabric::Node::type);
  std::fputs(
      printable(fmt::format("lab      {} and {}, simulated; commands run on {}\n"
                            "         `ibnetdiscover`, `rch run -F CONF &`, `rch status`, "
                            "`rch lab --unplug NODE PORT`\n"
                            "         `exit` ends the shell and all that it started\n",
                            counted(fabric.switch_count(), "switch"),
                            counted(static_cast<std::size_t>(hosts), "host"), describe(fabric.node(node))))
          .c_str(),
      stderr);
}

Result<fabric::Fabric> read_it(Context& context, const std::string& target, Exit& code) {
  if (auto generated = generated_fabric(target)) return std::move(*generated);
  auto read = read_fabric(context, target, {});
  if (read) return std::move(*read);
  code = read.error();
  return fail(ErrorKind::usage, "");
}

Exit start_lab(Context& context, const LabFlags& flags) {
  Exit code = Exit::good;
  const auto fabric = read_it(context, flags.fabric, code);
  if (!fabric) return code == Exit::good ? context.stop(fabric.error()) : code;
  const auto node = node_of_commands(*fabric, flags.host);
  if (!node) return context.stop(node.error());
  const auto library = preload_library();
  if (!library) return context.stop(library.error());
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto simulator = Simulator::start(*fabric);
  if (!simulator) return context.stop(simulator.error());
  std::vector<std::string> words = flags.command;
  if (words.empty()) {
    const char* shell = std::getenv("SHELL");
    words.emplace_back(shell != nullptr && *shell != '\0' ? shell : "/bin/sh");
    greet(*fabric, *node);
  }
  const int status =
      run_command(words, settings_of(**simulator, simulated_id(fabric->node(*node)), library->string()));
  end_remains((*simulator)->pid());
  return static_cast<Exit>(status);
}

/// Pulls the cable at a port, or plugs it in again, in the lab that this command runs in.
Exit turn_cable(Context& context, const LabFlags& flags) {
  const std::string folder = lab_folder();
  if (folder.empty())
    return context.stop(
        {ErrorKind::usage,
         "this is no lab: `--unplug` and `--plug` are for commands that `rch lab FABRIC` runs"});
  const auto fabric = read_fabric_file(folder + "/fabric.net", *context.sources, context.diagnostics);
  if (!fabric) return context.stop(fabric.error());
  const bool is_unplugged = !flags.unplug.empty();
  const std::vector<std::string>& place = is_unplugged ? flags.unplug : flags.plug;
  const auto found = find_end_port(**fabric, place[0]);
  if (!found) return context.stop(found.error());
  const fabric::Node& node = (*fabric)->node((*fabric)->port(found->port).node);
  const auto number = parse_integer(place[1]);
  if (!number || *number == 0 || *number > node.num_ports)
    return context.stop({ErrorKind::usage, fmt::format("{} has no port {}, but 1 to {}", describe(node),
                                                       place[1], node.num_ports)});
  const auto answer = ask_console(
      folder, fmt::format("{} \"{}\"[{}]", is_unplugged ? "Unlink" : "ReLink", simulated_id(node), *number));
  if (!answer) return context.stop(answer.error());
  context.output.line(
      fmt::format("{} {} port {}", is_unplugged ? "unplugged" : "plugged", describe(node), *number));
  return Exit::good;
}

Exit lab(const LabFlags& flags) {
  Context context(Format::text);
  return context.output.finish(flags.turns_cable() ? turn_cable(context, flags) : start_lab(context, flags));
}

std::string objection_to(const LabFlags& flags) {
  if (!flags.unplug.empty() && !flags.plug.empty()) return "--unplug and --plug are commands of their own";
  if (flags.turns_cable() != flags.fabric.empty())
    return flags.turns_cable() ? "--unplug and --plug go without FABRIC" : "FABRIC is required";
  return {};
}

}  // namespace

std::string lab_folder() {
  const char* folder = std::getenv(kLabFolder);
  return folder != nullptr ? folder : "";
}

void add_lab(const Command& rch) {
  const Command command = rch.command("lab", "Run a command, or a shell, on a fabric that ibsim simulates");
  command.exits({Exit::good, Exit::usage});
  auto flags = std::make_shared<LabFlags>();
  command
      .add("FABRIC", flags->fabric,
           "The fabric: a file, live[:CA[:PORT]] for a copy of that one, or KIND:SIZE as `rch fabric "
           "generate` "
           "makes it, such as torus:6x5")
      .type("FABRIC");
  command
      .add("COMMAND", flags->command,
           "What to run, behind `--`; its exit code is that of the lab (default: a shell)")
      .type("COMMAND");
  command.add("--host", flags->host, "The host that it runs on, a point (default: the first one)")
      .type("HOST");
  command.add("--unplug", flags->unplug, "In a lab: pull the cable at a port").type("NODE PORT").values(2);
  command.add("--plug", flags->plug, "In a lab: plug the cable in again").type("NODE PORT").values(2);
  command.does([flags] { return lab(*flags); }, [flags] { return objection_to(*flags); });
}

}  // namespace rch::cli
