#pragma once

#include <string_view>

#include "base/result.h"

namespace rch::cli {

/// Exit codes of every command.
enum class Exit {
  good = 0,
  findings = 1,    ///< findings of error grade
  usage = 2,       ///< wrong usage or unreadable input
  unroutable = 3,  ///< no engine of the chain could route
  forbidden = 4,   ///< the verdict forbids the commit
  fabric = 5,      ///< the fabric refused or lost a write
};

/// All of them, in order.
inline constexpr std::string_view kExitTexts[] = {"good",
                                                  "findings of error grade",
                                                  "wrong usage or unreadable input",
                                                  "no engine of the chain could route",
                                                  "the verdict forbids the commit",
                                                  "the fabric refused or lost a write"};

constexpr Exit exit_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return Exit::usage;
    case ErrorKind::invalid:
      return Exit::findings;
    case ErrorKind::unroutable:
      return Exit::unroutable;
    case ErrorKind::forbidden:
      return Exit::forbidden;
    case ErrorKind::fabric:
      break;
  }
  return Exit::fabric;
}

}  // namespace rch::cli
