#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sa/journal.h"

namespace rch::sa {

/// A port, or a whole node: port 0.
using PartName = std::pair<Guid, PortNum>;
/// What becomes of parts that the operator left out; numbers of the subnet manager.
using LeftOutParts = std::map<PartName, std::uint8_t>;

/// Parts that the operator left out. They are in the journal of what hosts registered, so they stay out after
/// a restart, and when a standby takes over.
class LeftOut {
 public:
  /// These and no others.
  void set(const LeftOutParts& parts);
  const LeftOutParts& all() const { return parts_; }

  /// Parts that changed since the last call, and all.
  std::vector<JournalRecord> take_changes() { return std::exchange(changes_, {}); }
  void list(std::vector<JournalRecord>& out) const;
  /// Those of an earlier process, in place of what is known. Other records are passed over.
  void restore(std::span<const JournalRecord> records);

 private:
  LeftOutParts parts_;
  std::vector<JournalRecord> changes_;
};

}  // namespace rch::sa
