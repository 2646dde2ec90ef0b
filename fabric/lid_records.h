#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "fabric/fabric.h"

namespace rch::fabric {

struct LidRange {
  Lid first, last;  ///< first <= last

  friend bool operator==(const LidRange&, const LidRange&) = default;
};

/// A record that contradicts another one. It counts where its port holds its LIDs.
struct RivalRecord {
  Guid port;
  LidRange range;
};

/// LIDs by port GUID, those of ports that are away included: OpenSM's guid2lid (OpenSM's osm_db.c). No two
/// ranges overlap. A switch is named by the GUID of its port 0. Two equal values hold the same ranges.
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

  /// Keeps a record that add() refuses.
  void add_rival(const RivalRecord& record) { rivals_.push_back(record); }
  /// Marks the record of a port as one that OpenSM does not find.
  void mark_hidden(Guid port) { hidden_.insert(port); }
  /// The records that count on a fabric, with no rivals left. Where records contradict each other, the LID
  /// that a port holds wins. A record that OpenSM does not find moves no port that holds another LID.
  /// Describes each choice that the fabric makes in a line of `choices`.
  LidRecords settled(const Fabric& fabric, std::vector<std::string>& choices) const;

  friend bool operator==(const LidRecords& a, const LidRecords& b) { return a.ranges_ == b.ranges_; }

 private:
  void set(Guid port, const LidRange& range);
  void erase(Guid port);
  void settle(const RivalRecord& rival, const Fabric& fabric, std::vector<std::string>& choices);
  /// Drops what the file left open about a port. Returns true if there was something.
  bool close_question(Guid port);

  std::map<Guid, LidRange> ranges_;
  std::map<Lid, Guid> by_first_;  ///< the same, by the first LID
  std::vector<RivalRecord> rivals_;
  std::set<Guid> hidden_;
};

/// Reads a guid2lid file. Lines that cannot be kept are warnings in `diagnostics`, all others are kept. Of
/// two records that contradict each other, the one that OpenSM finds comes first, then the first one in the
/// file; the other one is a rival. OpenSM finds a record by its text (0x and 16 lower-case digits) at the
/// first line of a paragraph. Records that it does not find are kept and marked as hidden.
LidRecords read_guid2lid(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// The text of the file, in the order of GUIDs. OpenSM reads it.
std::string write_guid2lid(const LidRecords& records);

}  // namespace rch::fabric
