#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <sys/types.h>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::cli {

/// An ibsim with one fabric, in a folder of its own:
///
///   fabric.net   what it simulates, as ibnetdiscover text
///   console      a FIFO that takes its commands
///   ibsim.out    what it answers
///
/// The program ends with the object, and the folder goes.
class Simulator {
 public:
  /// Starts ibsim and waits until clients can attach. Fails (usage) when ibsim is not installed, does not
  /// take the fabric or is not ready in time.
  static Result<std::unique_ptr<Simulator>> start(const fabric::Fabric& fabric);
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  pid_t pid() const { return pid_; }
  /// Names the sockets that clients attach to (IBSIM_SOCKNAME).
  std::string socket_name() const;

 private:
  explicit Simulator(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Result<void> launch(const fabric::Fabric& fabric);
  Result<void> wait_until_ready(std::size_t nodes) const;

  std::filesystem::path folder_;
  pid_t pid_ = -1;
};

/// The name that ibsim has for a node, in its commands and for SIM_HOST.
std::string simulated_id(const fabric::Node& node);

/// Gives a command to the console of the simulator in `folder` and returns the answer. Fails (usage) when no
/// simulator runs there, and when the answer is a complaint.
Result<std::string> ask_console(const std::filesystem::path& folder, const std::string& command);

}  // namespace rch::cli
