#pragma once

// One subnet has one master. What is done about the others before anything is written (sm-sa 5).

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "hw/live_fabric.h"
#include "hw/smp_client.h"

namespace rch::hw {

struct ManagerOptions {
  std::uint64_t sm_key = 1;
  std::uint8_t sm_priority = 0;
  bool takeover = false;  ///< go on although the fabric has a master
};

/// Fails (fabric), naming GUID, LID and priority, when another SM is master of the fabric and `takeover` is
/// not set: one that says so, or one that does not answer while our port knows it as its SM.
Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options);

/// From here on our port has the IsSM bit, and SMInfo is answered as that of a master; when taking over, with
/// the highest priority, and masters found are given time to hand over. One that does not is written over:
/// the operator asked for it. Returns the lines to tell about them.
Result<std::vector<std::string>> become_master(SmpClient& client, const LiveFabric& live,
                                               const ManagerOptions& options);

}  // namespace rch::hw
