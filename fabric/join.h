#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// A cable to lay between two fabrics, each end named by a switch's description or GUID.
struct JoinLink {
  std::string a;
  std::string b;
};

/// One fabric out of two, with cables between them, seen from where `a` was seen. Each cable takes the lowest
/// free port of its switch; a switch without a free port gets one more. Fails on a name that is not there or
/// is no switch (usage), and on GUIDs or LIDs that both fabrics use (invalid).
Result<Fabric> join(const Fabric& a, const Fabric& b, std::span<const JoinLink> links);

}  // namespace rch::fabric
