#pragma once

#include <string_view>

namespace rch::fabric {

/// First bytes of every snapshot, with the version of its layout.
inline constexpr std::string_view kSnapshotMagic = "rch fabric 3\n";
/// Begins the layout of a fabric whose ports have labels.
inline constexpr std::string_view kLabelledSnapshotMagic = "rch fabric 4\n";
/// Begins the layout without names of a node-name map, which is read as well.
inline constexpr std::string_view kUnnamedSnapshotMagic = "rch fabric 2\n";
static_assert(kSnapshotMagic.size() == kUnnamedSnapshotMagic.size() &&
              kSnapshotMagic.size() == kLabelledSnapshotMagic.size());

inline bool is_snapshot(std::string_view content) {
  return content.starts_with(kSnapshotMagic) || content.starts_with(kLabelledSnapshotMagic) ||
         content.starts_with(kUnnamedSnapshotMagic);
}

}  // namespace rch::fabric
