#include "hw/simulator.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace rch::hw::test {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Outcome shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start a shell");
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), got);
  const int status = pclose(pipe);
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

std::string lab(const char* tool) { return quoted(std::string(RCH_LAB "/") + tool) + " "; }

void must(const Outcome& outcome, const std::string& what) {
  if (outcome.exit != 0) throw std::runtime_error(what + ": " + outcome.text);
}

}  // namespace

std::vector<std::string> Outcome::lines() const {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::vector<std::string> Outcome::lines_with(const std::string& prefix) const {
  std::vector<std::string> found = lines();
  std::erase_if(found, [&](const std::string& line) { return !line.starts_with(prefix); });
  std::sort(found.begin(), found.end());
  return found;
}

Simulator::Simulator(const std::string& net_file) {
  std::string pattern = (std::filesystem::temp_directory_path() / "rch-hw-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  folder_ = pattern;
  must(shell(lab("lab_sim") + "start " + quoted(net_file) + " --dir " + quoted(folder_ / "sim")), "start");
}

Simulator::~Simulator() {
  shell(lab("lab_sim") + "stop " + quoted(folder_ / "sim"));
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Outcome Simulator::run(const std::string& command, const std::string& host) const {
  const std::string at = host.empty() ? std::string() : " --host " + quoted(host);
  return shell(lab("lab_sim") + "run " + quoted(folder_ / "sim") + at + " --timeout 60 -- " + command);
}

Outcome Simulator::probe_at(const std::string& host, const std::string& arguments) const {
  return run(quoted(RCH_HW_PROBE) + " " + arguments, host);
}

void Simulator::console(const std::vector<std::string>& commands) const {
  std::string line = lab("lab_sim") + "cmd " + quoted(folder_ / "sim");
  for (const std::string& command : commands) line += " " + quoted(command);
  must(shell(line), "console");
}

void Simulator::start_opensm(const std::string& host) const {
  must(shell(lab("lab_opensm") + "start " + quoted(folder_ / "sim") + " --out " + quoted(folder_ / "opensm") +
             " --engine minhop --host " + quoted(host) + " >" + quoted(folder_ / "opensm.txt")),
       "opensm");
}

void Simulator::stop_opensm() const { shell(lab("lab_opensm") + "stop " + quoted(folder_ / "opensm")); }

}  // namespace rch::hw::test
