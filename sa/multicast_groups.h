#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "chains/joined_groups.h"
#include "sa/gid.h"
#include "sa/journal.h"
#include "sa/notice.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// Bits of JoinState.
inline constexpr std::uint8_t kFullMemberJoin = 1, kSendOnlyFullMemberJoin = 8;
/// A group lives as long as somebody has joined it so.
inline constexpr std::uint8_t kKeepsGroup = kFullMemberJoin | kSendOnlyFullMemberJoin;

/// A port that joined, or one of its alias GUIDs.
struct GroupMember {
  Guid port;  ///< or the alias GUID
  std::uint8_t join_state = 0;
  bool proxy = false;  ///< another port joined for it
  Guid at{};           ///< the port
};

/// What all members of a group share; codes of MTU, rate and life.
struct GroupTraits {
  Gid mgid{};
  Lid mlid{};
  std::uint32_t q_key = 0;
  std::uint16_t pkey = 0;
  std::uint8_t mtu = 0, rate = 0, life = 0;
  std::uint8_t sl = 0, traffic_class = 0, hop_limit = 0;
  std::uint32_t flow_label = 0;

  std::uint8_t scope() const { return mgid[1] & 0x0F; }
};

struct Group : GroupTraits {
  bool planned = false;              ///< of a partition: it stays without members
  std::vector<GroupMember> members;  ///< ascending port

  const GroupMember* member(Guid port) const;
  /// The port has joined, by one of its GUIDs at least.
  bool has(Guid port) const;
};

/// What became of a group, or of a member of it.
struct GroupEvent {
  enum class What : std::uint8_t { created, deleted, joined, left };
  What what = What::created;
  Gid mgid{};
  Lid mlid{};
  bool planned = false;         ///< the group is one of a partition
  Guid port{};                  ///< GroupMember::port of who joined or left
  std::uint8_t join_state = 0;  ///< that it has now
};

/// The multicast groups of a subnet and who joined them. Groups of partitions have their ways installed for
/// all who may join. The others are given to the next plan.
class MulticastGroups {
 public:
  /// Takes over the groups of partitions, and lets ports leave that are gone.
  void follow(const Snapshot& snapshot);

  const std::map<Gid, Group>& all() const { return groups_; }
  const Group* find(const Gid& mgid) const;
  /// Groups that the port is in.
  std::size_t memberships(Guid port) const;
  /// Nothing if no MLID is free, or that of `traits`, if it names one, is not.
  const Group* create(const Snapshot& snapshot, GroupTraits traits);
  /// Adds the JoinState of `who` to that which it has. Returns all of it.
  std::uint8_t join(const Gid& mgid, const GroupMember& who);
  /// Takes the bits away, and the group with its last member that keeps it. Returns what is left.
  std::uint8_t leave(const Gid& mgid, Guid port, std::uint8_t bits);
  /// An MGID that no group has, or nothing.
  std::optional<Gid> unused_mgid(std::uint64_t prefix, std::uint8_t scope);

  /// What happened since the last call.
  std::vector<GroupEvent> take_events() { return std::exchange(events_, {}); }
  /// Memberships that changed since the last call, and all.
  std::vector<JournalRecord> take_changes() { return std::exchange(changes_, {}); }
  void list(std::vector<JournalRecord>& out) const;
  /// Before follow(): memberships of an earlier process, in place of those that are known. Other records are
  /// passed over.
  void restore(std::span<const JournalRecord> records);
  /// What a plan has to know of.
  chains::JoinedGroups joined() const;
  /// Changes with it.
  std::uint64_t version() const { return version_; }

 private:
  void add_planned(const Snapshot& snapshot);
  void drop_vanished(const fabric::Fabric& fabric);
  void list_mlids();
  std::optional<Lid> mlid_to_share(const GroupTraits& traits,
                                   const policy::AdministrationOptions& options) const;
  void note(const Group& group, const GroupMember& member);
  void tell(const Group& group, const GroupMember& member, GroupEvent::What what);
  void restore(const JournalRecord& record);

  std::map<Gid, Group> groups_;
  std::vector<Lid> taken_;  ///< MLIDs of groups, ascending
  std::vector<GroupEvent> events_;
  std::vector<JournalRecord> changes_;
  std::vector<Lid> given_;  ///< MLIDs of groups that were created here, ascending
  std::uint64_t version_ = 0;
  std::uint32_t last_unique_ = 0;  ///< of an MGID that we made
};

}  // namespace rch::sa
