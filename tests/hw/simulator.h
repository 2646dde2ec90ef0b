#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rch::hw::test {

/// What a program run in a simulator left behind.
struct Outcome {
  int exit = -1;
  std::string text;  ///< standard output and standard error

  std::vector<std::string> lines() const;
  /// Lines that begin with `prefix`, sorted.
  std::vector<std::string> lines_with(const std::string& prefix) const;
  bool says(const std::string& part) const { return text.find(part) != std::string::npos; }
};

/// One ibsim in a folder of its own, from construction to destruction (tests/lab/lab_sim).
class Simulator {
 public:
  explicit Simulator(const std::string& net_file);
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  /// Runs a program as a client, attached to the first node of the net file or to `host`.
  Outcome run(const std::string& command, const std::string& host = {}) const;
  /// Runs our own hw_probe.
  Outcome probe(const std::string& arguments) const { return probe_at({}, arguments); }
  Outcome probe_at(const std::string& host, const std::string& arguments) const;
  /// Console commands of ibsim.
  void console(const std::vector<std::string>& commands) const;
  /// An OpenSM in the background that is up when this returns; `stop_opensm` ends it.
  void start_opensm(const std::string& host) const;
  void stop_opensm() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace rch::hw::test
