#pragma once

#include <array>
#include <vector>

#include "hw/transport.h"
#include "sa/journal.h"
#include "sa/notice.h"
#include "sa/query.h"

namespace rch::sa {

/// Where a Report goes.
struct ReportAddress {
  std::uint16_t lid = 0;
  std::uint32_t queue_pair = 1;
  std::uint8_t service_level = 0;
};

/// What a host wants to be told of: InformInfo as it was set, with the queue pair that it came from.
struct Subscription {
  static constexpr std::size_t kSize = 36;

  Guid subscriber;  ///< port
  std::array<std::uint8_t, kSize> filter{};
  bool trusted = false;
  ReportAddress address;
};

/// The subscriptions of hosts (IBA 13.4.8).
class Subscriptions {
 public:
  /// InformInfo, Set: subscribes or ends a subscription. `request` tells where Reports go.
  Answer set(const Snapshot& snapshot, const Requester& requester, const Query& query,
             const hw::Datagram& request);
  /// InformInfoRecord, Get and GetTable.
  Answer list(const Snapshot& snapshot, const Requester& requester, const Query& query) const;
  /// Those that `notice` is for.
  std::vector<ReportAddress> addressed_by(const Snapshot& snapshot, const Notice& notice) const;
  /// Ends those whose Reports go there.
  void drop(const ReportAddress& to);
  /// Lets ports go that are gone.
  void follow(const Snapshot& snapshot);

  const std::vector<Subscription>& all() const { return all_; }
  std::size_t count_of(Guid subscriber) const;
  /// InformInfo, Set: asks to subscribe, not to end a subscription.
  static bool subscribes(const Query& query);
  /// Subscriptions that changed since the last call, and all.
  std::vector<JournalRecord> take_changes() { return std::exchange(changes_, {}); }
  void list(std::vector<JournalRecord>& out) const;
  /// Before follow(): subscriptions of an earlier process, in place of those that are known. Other records
  /// are passed over.
  void restore(std::span<const JournalRecord> records);

 private:
  std::vector<Subscription>::iterator find(Guid subscriber, const Subscription& like);

  std::vector<Subscription> all_;
  std::vector<JournalRecord> changes_;
};

}  // namespace rch::sa
