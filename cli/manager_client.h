#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/request.h"

namespace rch::cli {

/// An operator's question to a running manager.
struct Question {
  Request request;
  ErrorKind refusal = ErrorKind::usage;  ///< the kind of error that a request is which the master refuses
  bool waits = false;                    ///< asks about the job until it is no longer pending
  /// How to ask about a job.
  Request (*again)(std::uint64_t job) = [](std::uint64_t job) { return Request(ReloadStatusRequest{job}); };
};

/// Asks the manager that answers on `control`, and prints the answer with `print`, which returns the exit
/// code; JSON output has its members. Returns how the command ends.
Exit ask_manager(Format format, const std::string& control, const Question& question,
                 const std::function<Exit(Output& output, const Json& answer)>& print);

}  // namespace rch::cli
