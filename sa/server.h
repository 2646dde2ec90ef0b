#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "hw/service.h"
#include "sa/alias_guids.h"
#include "sa/change_notices.h"
#include "sa/followers.h"
#include "sa/left_out.h"
#include "sa/multicast_groups.h"
#include "sa/path_record.h"
#include "sa/query.h"
#include "sa/recent_answers.h"
#include "sa/refused_joins.h"
#include "sa/reports.h"
#include "sa/request_rates.h"
#include "sa/rmpp.h"
#include "sa/service_records.h"
#include "sa/snapshot.h"
#include "sa/subscriptions.h"
#include "sa/trust.h"

namespace rch::sa {

struct ServerCounters {
  std::uint64_t requests = 0;  ///< that had a good header
  std::uint64_t answered = 0;
  std::uint64_t refused = 0;                   ///< of those, with a status that is not good
  std::map<Status, std::uint64_t> refused_by;  ///< the same, by status
  /// Requests that were answered. Attributes without a name count as one.
  std::map<std::pair<Attribute, Status>, std::uint64_t> by_attribute;
  std::uint64_t malformed = 0;   ///< not answered: header, or R bit
  std::uint64_t wrong_key = 0;   ///< not answered (IBA 15.4)
  std::uint64_t unknown = 0;     ///< not answered: sent by no port of the fabric
  std::uint64_t repeated = 0;    ///< not answered again: the answer is on its way
  std::uint64_t distrusted = 0;  ///< not answered: the trust model forbids it
  std::uint64_t spoofed = 0;     ///< not answered: the SGID is not that of the port
  std::uint64_t throttled = 0;   ///< not answered: the port sends more than it may
};

/// A request that is not answered, and why.
struct Dropped {
  Lid from;
  Attribute attribute;
  Method method;
  std::string_view why;
};

/// Subnet administration: answers requests of hosts, each from one snapshot of the fabric.
///
/// Silent until there is something to answer from, and while another subnet manager is master.
class Server : public hw::Service {
 public:
  /// Queries that come from now on are answered from `snapshot`; null: none are.
  void publish(std::shared_ptr<const Snapshot> snapshot, hw::TimePoint now);
  /// Calls `changed` when the multicast groups that a plan has to know of have changed.
  void on_groups_changed(std::function<void()> changed) { groups_changed_ = std::move(changed); }
  /// Calls `told` with each request that is dropped for want of trust.
  void on_dropped(std::function<void(const Dropped&)> told) { tell_dropped_ = std::move(told); }
  /// Calls `told` with what becomes of multicast groups and of their members.
  void on_group_event(std::function<void(const GroupEvent&)> told) { tell_group_ = std::move(told); }
  /// Calls `told` with each port that may not join a group, once for each reason.
  void on_join_refused(std::function<void(const JoinRefused&)> told) { tell_refused_ = std::move(told); }
  /// Alias GUIDs that are to be written to a port; null: none. Who asked for them is answered after
  /// on_guids_written().
  const GuidWrite* guids_to_write() const { return guid_write_ ? &guid_write_->write : nullptr; }
  /// `taken`: the port has them now.
  void on_guids_written(bool taken, hw::TimePoint now);
  /// A trap that the port at `from` sent, as the SMP carries it: goes to who subscribed to it.
  void on_trap(std::span<const std::uint8_t> trap, Lid from, hw::TimePoint now);
  /// Before publish(): what hosts registered with an earlier process, or with the master before. It takes the
  /// place of what is known.
  void restore(const JournalContent& journal, hw::TimePoint now);
  /// The same with what hosts registered with another manager, which is kept from now on: once ports name us,
  /// hosts rely on it. `whole`: nothing is missing.
  void take_over(const JournalContent& journal, bool whole, hw::TimePoint now);
  /// All is known that the hosts of this fabric registered: restore() found a whole journal that ends with
  /// it. A host that was away in between may be in an older fabric, and have been forgotten.
  bool knows_hosts_of(const fabric::Fabric& fabric) const;
  /// What the operator left out, kept as registrations are.
  LeftOut& left_out() { return left_out_; }
  /// The managers that follow us.
  Followers& followers() { return followers_; }
  const Followers& followers() const { return followers_; }
  const MulticastGroups& groups() const { return groups_; }
  const ServerCounters& counters() const { return counters_; }
  const RmppCounters& transfers() const { return rmpp_.counters(); }
  const ReportCounters& reports() const { return reports_.counters(); }
  std::size_t services() const { return services_.size(); }
  std::size_t subscriptions() const { return subscriptions_.all().size(); }

  void on_datagram(const hw::Datagram& datagram, hw::TimePoint now) override;
  void on_time(hw::TimePoint now) override;
  hw::Keeping take_records() override;
  void on_not_kept() override;
  void take_datagrams(std::vector<hw::OutgoingDatagram>& out, hw::TimePoint now) override;
  hw::TimePoint deadline() const override {
    if (!listings_.empty()) return now_;  // as soon as what has arrived is answered
    return std::min({rmpp_.deadline(), services_.deadline(), change_notices_.deadline(), reports_.deadline(),
                     followers_deadline()});
  }

 private:
  bool is_request(const hw::Datagram& datagram);
  std::optional<Requester> requester_of(const hw::Datagram& datagram);
  bool is_throttled(const Requester& requester, const hw::Datagram& datagram, hw::TimePoint now);
  bool is_spoofed(const hw::Datagram& datagram, PortId from) const;
  void drop(const hw::Datagram& datagram, std::string_view why) const;
  void on_request(const hw::Datagram& first, std::span<const std::uint8_t> record, bool in_segments,
                  hw::TimePoint now);
  Answer answer_to(const Requester& requester, const Query& query, const hw::Datagram& request,
                   hw::TimePoint now);
  Answer answer_group(const Requester& requester, const Query& query, hw::TimePoint now);
  bool is_repetition(const hw::Datagram& request, hw::TimePoint now);
  bool awaits_guids(const hw::Datagram& request);
  void change_guids(const hw::Datagram& request, hw::TimePoint now);
  void begin_guid_write(hw::TimePoint now);
  void list_paths(const hw::Datagram& request, const Requester& requester, const Query& query,
                  hw::TimePoint now);
  void go_on_listing(hw::TimePoint now);
  void note_join(const Requester& requester, const Query& query, const Answer& answer);
  void report(const Notice& notice, hw::TimePoint now);
  void report_ports(const Snapshot& before, hw::TimePoint now);
  void report_groups(hw::TimePoint now);
  void report_changes(hw::TimePoint now);
  Answer answer_follower(const hw::Datagram& request, hw::TimePoint now);
  void collect_changes();
  std::string whole_journal() const;
  void release_withheld();
  hw::TimePoint followers_deadline() const;
  void reply(const hw::Datagram& request, Answer answer, hw::TimePoint now);
  void count(const hw::Datagram& request, Status status);

  std::shared_ptr<const Snapshot> snapshot_;
  MulticastGroups groups_;
  AliasGuids aliases_;
  LeftOut left_out_;
  ServiceRecords services_;
  Subscriptions subscriptions_;
  ChangeNotices change_notices_;
  Reports reports_;
  std::function<void()> groups_changed_;
  std::function<void(const Dropped&)> tell_dropped_;
  std::function<void(const GroupEvent&)> tell_group_;
  std::function<void(const JoinRefused&)> tell_refused_;
  RefusedJoins refused_joins_;
  std::uint64_t restored_ = 0;  ///< journal_mark() of the fabric that restore() knows; 0: of none
  std::uint64_t published_fabric_ = 0;
  std::uint64_t kept_fabric_ = 0;  ///< the one that the journal ends with; 0: none
  bool took_over_ = false;
  bool afresh_ = true;            ///< the journal is written anew
  hw::TimePoint keep_from_{};     ///< not before: the last attempt failed
  std::size_t journal_size_ = 0;  ///< when it was written anew
  std::size_t grown_ = 0;         ///< since
  ServerCounters counters_;
  RequestRates rates_;
  RecentAnswers recent_answers_;
  /// A table of paths that is being made.
  struct OpenListing {
    hw::Datagram request;
    PathListing listing;
  };
  std::vector<OpenListing> listings_;
  struct GuidChange {
    hw::Datagram request;
    bool awaited = true;  ///< false: who asked has asked something else since, and takes no answer
  };
  /// What a port is being given, and for whom.
  struct OpenGuidWrite {
    GuidChange change;
    GuidWrite write;
  };
  std::optional<OpenGuidWrite> guid_write_;
  std::deque<GuidChange> guid_changes_;  ///< that wait for it
  /// An answer to a registration that followers do not have yet.
  struct Withheld {
    std::uint64_t records;  ///< that they must have
    hw::TimePoint since;
    hw::Datagram answer;
    hw::Mad request;
  };
  Followers followers_;
  std::string changes_;  ///< of the journal, since the last take_records()
  std::deque<Withheld> withheld_;
  hw::TimePoint now_{};
  Rmpp rmpp_;
  std::vector<hw::OutgoingDatagram> out_;
};

}  // namespace rch::sa
