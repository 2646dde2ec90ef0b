#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "sa/journal.h"
#include "sa/multicast_groups.h"
#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// A block of the GUID table of a port.
inline constexpr std::size_t kGuidsOfBlock = 8;
using GuidBlock = std::array<Guid, kGuidsOfBlock>;

/// What has to be written to a port before who asked for it is answered.
struct GuidWrite {
  Guid port;  ///< the GUID that it came with
  std::uint8_t block = 0;
  GuidBlock guids{};
  Answer answer{};  ///< once it is written
};

/// GUIDs that ports have beside the one that they came with (IBA 15.2.5, GUIDInfoRecord): of virtual machines
/// behind them. The port itself asks for them, or who is trusted. A port that is gone has lost them.
class AliasGuids {
 public:
  static constexpr std::size_t kSize = 72;

  /// Set or Delete: what has to be written, or the answer if nothing has to.
  std::variant<GuidWrite, Answer> change(const Snapshot& snapshot, const Requester& requester,
                                         const Query& query, const MulticastGroups& groups);
  /// The port holds it now.
  void note(const GuidWrite& written);

  /// The port with that alias GUID.
  std::optional<Guid> owner(Guid alias) const;
  /// As it is known: block 0 begins with the GUID of the port.
  GuidBlock block(Guid port, std::uint8_t number) const;
  void follow(const fabric::Fabric& fabric);

  /// Blocks that changed since the last call, and all.
  std::vector<JournalRecord> take_changes() { return std::exchange(changes_, {}); }
  void list(std::vector<JournalRecord>& out) const;
  /// Those of an earlier process, in place of what is known. Other records are passed over.
  void restore(std::span<const JournalRecord> records);

 private:
  using Place = std::pair<Guid, std::uint8_t>;  ///< port and block

  Status set_guids(const Snapshot& snapshot, const Query& query, GuidWrite& write);
  Status remove_guids(const Query& query, const MulticastGroups& groups, GuidWrite& write) const;
  bool is_free(const fabric::Fabric& fabric, Guid guid, const GuidBlock& block) const;
  std::optional<Guid> unused(const Snapshot& snapshot, const GuidBlock& block);
  void put(const Place& place, const GuidBlock& guids);

  std::map<Place, GuidBlock> blocks_;  ///< with at least one alias GUID
  std::map<Guid, Guid> owners_;        ///< by alias GUID
  std::vector<JournalRecord> changes_;
  std::uint32_t last_unique_ = 0;
};

/// The port with that GUID, or with that alias GUID.
std::optional<PortId> find_port(const Snapshot& snapshot, const Query& query, Guid guid);

}  // namespace rch::sa
