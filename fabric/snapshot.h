#pragma once

#include <string_view>

namespace rch::fabric {

/// First bytes of every snapshot, with the version of its layout.
inline constexpr std::string_view kSnapshotMagic = "rch fabric 2\n";

}  // namespace rch::fabric
