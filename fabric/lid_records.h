#pragma once

#include <map>
#include <string>

#include "base/diagnostic.h"
#include "fabric/fabric.h"

namespace rch::fabric {

struct LidRange {
  Lid first, last;  ///< first <= last

  friend bool operator==(const LidRange&, const LidRange&) = default;
};

/// LIDs by port GUID, those of ports that are away included: OpenSM's guid2lid (dump-files 1.10). No two
/// ranges overlap. A switch is named by the GUID of its port 0.
class LidRecords {
 public:
  /// Null if there is none.
  const LidRange* find(Guid port) const;
  const std::map<Guid, LidRange>& all() const { return ranges_; }

  /// The port that has one of these LIDs, if there is one.
  std::optional<Guid> owner_in(const LidRange& range) const;
  /// False, and nothing changes, if the port has a record or another one has one of the LIDs.
  bool add(Guid port, const LidRange& range);
  /// Takes over the LIDs of all ports of a fabric. Records of other ports that overlap one of them go.
  /// Returns true if something changed.
  bool take_over(const Fabric& fabric);

  friend bool operator==(const LidRecords&, const LidRecords&) = default;

 private:
  void set(Guid port, const LidRange& range);

  std::map<Guid, LidRange> ranges_;
  std::map<Lid, Guid> by_first_;  ///< the same, by the first LID
};

/// Reads a guid2lid file. Lines that cannot be kept are warnings in `diagnostics`, all others are kept: of
/// two that contradict each other the first one in the file. A blank line may be missing and a `#` may begin
/// a comment, other than for OpenSM.
LidRecords read_guid2lid(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// The text of the file, in the order of GUIDs. OpenSM reads it.
std::string write_guid2lid(const LidRecords& records);

}  // namespace rch::fabric
