#pragma once

#include <span>
#include <string_view>

#include "base/result.h"

namespace rch::hw {

/// Why a command on a live fabric failed: every Error of kind `fabric` has one of these. Names are stable.
struct Cause {
  std::string_view name;     ///< kebab-case, unique
  std::string_view summary;  ///< one line: what was seen
};

namespace causes {

inline constexpr Cause kNoDevice{"no-device", "the port of this machine does not exist or cannot be opened"};
inline constexpr Cause kNoPermission{"no-permission", "no right to use the devices of management datagrams"};
inline constexpr Cause kPortBusy{"port-busy",
                                 "another program holds what a subnet manager needs on the port"};
inline constexpr Cause kPortDown{"port-down", "the port of this machine is down"};
inline constexpr Cause kCannotSend{"cannot-send", "the port takes no datagrams any more"};
inline constexpr Cause kOwnPortFault{"own-port-fault", "the port of this machine does not answer as it must"};
inline constexpr Cause kNotWhole{"fabric-not-whole",
                                 "a part of the fabric that is needed does not answer as it must"};
inline constexpr Cause kNoListedCable{"no-listed-cable",
                                      "no cable of the fabric is as the list of cables has it"};
inline constexpr Cause kContradiction{"inconsistent-answers", "answers of the fabric contradict each other"};
inline constexpr Cause kAnotherMaster{"another-master", "another subnet manager is master"};
inline constexpr Cause kHiddenMaster{"hidden-master",
                                     "a subnet manager may be behind a port that does not answer"};
inline constexpr Cause kUnsettledManagers{"unsettled-managers",
                                          "other subnet managers come up, and none of them becomes master"};
inline constexpr Cause kMastershipLost{"mastership-lost",
                                       "another subnet manager became master, or the port was reconfigured"};
inline constexpr Cause kCannotHold{"cannot-hold",
                                   "a node lacks tables, or room in them, for what has to be written"};
inline constexpr Cause kTooManyMaps{"too-many-maps",
                                    "the switches hold more different SL2VL maps than rch reads"};
inline constexpr Cause kNoAnswer{"no-answer", "a read or write of a known node was not answered"};
inline constexpr Cause kRefusedRead{"refused-read", "a node answered a read with an error status"};
inline constexpr Cause kRefusedWrite{"refused-write", "a node answered a write with an error status"};
inline constexpr Cause kReadBackDiffers{"read-back-differs",
                                        "a node shows something else than what was written"};
inline constexpr Cause kFabricChanged{"fabric-changed", "a port changed its state during the commit"};
inline constexpr Cause kStopped{"stopped", "a signal ended the command; the tables are sound"};

}  // namespace causes

/// All of them.
std::span<const Cause> all_causes();

inline Error error_of(const Cause& cause, std::string message) {
  return {ErrorKind::fabric, std::move(message), cause.name};
}
inline tl::unexpected<Error> fail(const Cause& cause, std::string message) {
  return tl::unexpected<Error>(error_of(cause, std::move(message)));
}

}  // namespace rch::hw
