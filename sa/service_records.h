#pragma once

#include <array>
#include <vector>

#include "hw/transport.h"
#include "sa/journal.h"
#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// ServiceRecords that hosts registered (IBA 15.2.5). A record is named by its first bytes: ServiceID,
/// ServiceGID and ServiceP_Key.
class ServiceRecords {
 public:
  static constexpr std::size_t kSize = 176;
  using Record = std::array<std::uint8_t, kSize>;

  /// Get, GetTable, Set (register) and Delete.
  Answer answer(const Snapshot& snapshot, const Requester& requester, const Query& query, hw::TimePoint now);
  /// Drops records whose lease has ended.
  void on_time(hw::TimePoint now);
  /// Drops records of ports that are gone, where the configuration says so.
  void follow(const Snapshot& snapshot);
  /// When the next lease ends.
  hw::TimePoint deadline() const { return deadline_; }
  std::size_t size() const { return entries_.size(); }
  /// Records that the port registered.
  std::size_t count_of(Guid owner) const;
  /// A record of that name is registered.
  bool knows(const Query& query) const;
  /// Records that changed since the last call, and all.
  std::vector<JournalRecord> take_changes() { return std::exchange(changes_, {}); }
  void list(hw::TimePoint now, std::vector<JournalRecord>& out) const;
  /// Records of an earlier process, in place of those that are known; leases last as long as was left then.
  /// Other records are passed over.
  void restore(std::span<const JournalRecord> records, hw::TimePoint now);

 private:
  struct Entry {
    Record record;
    Guid owner;           ///< port that registered it
    hw::TimePoint until;  ///< of the lease
  };

  Answer list(const Snapshot& snapshot, const Requester& requester, const Query& query) const;
  Answer add(const Snapshot& snapshot, const Requester& requester, const Query& query, hw::TimePoint now);
  Answer remove(const Snapshot& snapshot, const Requester& requester, const Query& query);
  static bool may_change(const Snapshot& snapshot, const Requester& requester, const Entry& entry,
                         const Query& query);
  std::vector<Entry>::iterator find(const Record& record);
  void put(const Entry& entry);
  template <class Goes>
  void drop_if(const Goes& goes);
  static JournalRecord registration(const Entry& entry, hw::TimePoint now);
  void note_gone(const Entry& entry);
  void set_deadline();

  std::vector<Entry> entries_;  ///< ascending name
  std::vector<JournalRecord> changes_;
  hw::TimePoint deadline_ = hw::TimePoint::max();
};

}  // namespace rch::sa
