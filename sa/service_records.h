#pragma once

#include <array>
#include <vector>

#include "hw/transport.h"
#include "sa/query.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// ServiceRecords that hosts registered (sm-sa 7.2). A record is named by its first bytes: ServiceID,
/// ServiceGID and ServiceP_Key.
class ServiceRecords {
 public:
  static constexpr std::size_t kSize = 176;
  using Record = std::array<std::uint8_t, kSize>;

  /// Get, GetTable, Set (register) and Delete.
  Answer answer(const Snapshot& snapshot, const Requester& requester, const Query& query, hw::TimePoint now);
  /// Drops records whose lease has ended.
  void on_time(hw::TimePoint now);
  /// When the next lease ends.
  hw::TimePoint deadline() const { return deadline_; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Record record;
    Guid owner;           ///< port that registered it
    hw::TimePoint until;  ///< of the lease
  };

  Answer list(const Snapshot& snapshot, const Requester& requester, const Query& query) const;
  Answer add(const Snapshot& snapshot, const Requester& requester, const Query& query, hw::TimePoint now);
  Answer remove(const Requester& requester, const Query& query);
  std::vector<Entry>::iterator find(const Record& record);
  void set_deadline();

  std::vector<Entry> entries_;  ///< ascending name
  hw::TimePoint deadline_ = hw::TimePoint::max();
};

}  // namespace rch::sa
