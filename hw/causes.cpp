#include "hw/causes.h"

#include <array>

namespace rch::hw {

std::span<const Cause> all_causes() {
  using namespace causes;
  static constexpr std::array kAll{
      kNoDevice,        kNoPermission,  kPortBusy,       kPortDown,      kCannotSend,   kOwnPortFault,
      kNotWhole,        kContradiction, kNoListedCable,  kAnotherMaster, kHiddenMaster, kUnsettledManagers,
      kCannotHold,      kTooManyMaps,   kMastershipLost, kNoAnswer,      kRefusedRead,  kRefusedWrite,
      kReadBackDiffers, kFabricChanged, kStopped};
  return kAll;
}

}  // namespace rch::hw
