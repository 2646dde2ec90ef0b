#include "sa/subscriptions.h"

#include <algorithm>

#include "sa/partition.h"

namespace rch::sa {
namespace {

using hw::Field;

// InformInfo (IBA 13.4.8)
constexpr std::size_t kInformGid = 0;
constexpr Field kLidBegin{16, 0, 16}, kLidEnd{18, 0, 16};
constexpr Field kIsGeneric{22, 0, 8}, kSubscribe{23, 0, 8};
constexpr Field kType{24, 0, 16}, kTrapNumber{26, 0, 16};
constexpr Field kQueuePair{28, 0, 24};
constexpr Field kProducer{33, 0, 24};
constexpr std::uint64_t kAnyLid = 0xFFFF, kAny = 0xFFFF, kAnyProducer = 0xFFFFFF;

/// Fields by which two subscriptions of a port are the same.
constexpr Field kFilterFields[] = {{0, 0, 64}, {8, 0, 64}, kLidBegin,   kLidEnd,
                                   kIsGeneric, kType,      kTrapNumber, kProducer};

// InformInfoRecord: subscriber GID, number, InformInfo.
constexpr std::size_t kRecordSize = 64, kInformInfo = 24;
constexpr Field kEnum{16, 0, 16};
struct RecordField {
  unsigned component;
  Field field;
};
constexpr RecordField kRecordFields[] = {
    {1, kEnum},       {4, {40, 0, 16}},  {5, {42, 0, 16}},  {7, {46, 0, 8}},  {8, {47, 0, 8}},
    {9, {48, 0, 16}}, {10, {50, 0, 16}}, {11, {52, 0, 24}}, {13, {55, 3, 5}}, {15, {57, 0, 24}},
};
constexpr unsigned kSubscriberComponent = 0, kGidComponent = 3;

/// Subscriptions in all, and of one port.
constexpr std::size_t kMostSubscriptions = 65536;
constexpr std::ptrdiff_t kMostSubscriptionsOfPort = 256;

bool is_zero(const Gid& gid) { return gid == Gid{}; }

bool wants_security_trap(const Subscription& s) {
  const std::uint64_t trap = get(s.filter, kTrapNumber);
  return get(s.filter, kIsGeneric) != 0 && trap >= notice::kFirstSecurityTrap &&
         trap <= notice::kLastSecurityTrap;
}

/// The source that a subscription names must be a port that the requester may see.
bool may_watch(const Snapshot& snapshot, const Requester& requester, const Subscription& s) {
  const fabric::Fabric& fabric = snapshot.fabric();
  const auto seen = [&](PortId port) {
    return requester.trusted ||
           common_pkey(snapshot, partition_port(snapshot, requester.port), partition_port(snapshot, port));
  };
  const Gid gid = read_gid(std::span(s.filter).subspan(kInformGid));
  if (!is_zero(gid)) {
    const auto port = fabric.find_port(guid_of(gid));
    return port && seen(*port);
  }
  const std::uint64_t begin = get(s.filter, kLidBegin), end = get(s.filter, kLidEnd);
  if (begin == kAnyLid) return true;
  if (begin > fabric.max_lid().value || end < begin) return false;
  for (std::uint64_t lid = begin; lid <= std::min<std::uint64_t>(end, fabric.max_lid().value); ++lid)
    if (const auto port = fabric.lid_owner(Lid(static_cast<std::uint16_t>(lid))); port && !seen(*port))
      return false;
  return true;
}

bool names_source(const Subscription& s, const Notice& notice) {
  const Gid gid = read_gid(std::span(s.filter).subspan(kInformGid));
  if (!is_zero(gid)) return gid == read_gid(std::span(notice).subspan(notice::kIssuerGid));
  const std::uint64_t begin = get(s.filter, kLidBegin), lid = get(notice, notice::kIssuerLid);
  return begin == kAnyLid || (lid >= begin && lid <= get(s.filter, kLidEnd));
}

bool fits(const Subscription& s, const Notice& notice) {
  const auto is = [&](Field ours, std::uint64_t any, Field theirs) {
    const std::uint64_t asked = get(s.filter, ours);
    return asked == any || asked == get(notice, theirs);
  };
  return (get(s.filter, kIsGeneric) != 0) == (get(notice, notice::kGeneric) != 0) &&
         is(kType, kAny, notice::kType) && is(kTrapNumber, kAny, notice::kTrapNumber) &&
         is(kProducer, kAnyProducer, notice::kProducer) && names_source(s, notice);
}

/// The partition rule: of ports that came or went the port itself counts, else who sent the trap.
bool may_learn(const Snapshot& snapshot, const Subscription& s, const Notice& notice) {
  const fabric::Fabric& fabric = snapshot.fabric();
  const std::uint64_t trap = get(notice, notice::kTrapNumber);
  if (s.trusted) return true;
  if (trap >= notice::kFirstSecurityTrap && trap <= notice::kLastSecurityTrap) return false;
  const auto subscriber = fabric.find_port(s.subscriber);
  if (!subscriber) return false;
  const bool of_manager = trap >= notice::in_service && trap <= notice::group_deleted;
  if (!of_manager) {
    const auto source = fabric.lid_owner(Lid(static_cast<std::uint16_t>(get(notice, notice::kIssuerLid))));
    return source && common_pkey(snapshot, *subscriber, partition_port(snapshot, *source)).has_value();
  }
  const auto subject = fabric.find_port(guid_of(read_gid(std::span(notice).subspan(notice::kSubjectGid))));
  return !subject || common_pkey(snapshot, *subscriber, partition_port(snapshot, *subject)).has_value();
}

JournalRecord registration(const Subscription& s, bool gone) {
  return {.attribute = Attribute::inform_info,
          .gone = gone,
          .trusted = s.trusted,
          .service_level = s.address.service_level,
          .number = s.address.queue_pair,
          .port = s.subscriber,
          .record = {s.filter.begin(), s.filter.end()}};
}

}  // namespace

std::vector<Subscription>::iterator Subscriptions::find(Guid subscriber, const Subscription& like) {
  return std::ranges::find_if(all_, [&](const Subscription& s) {
    return s.subscriber == subscriber && std::ranges::all_of(kFilterFields, [&](Field field) {
             return get(s.filter, field) == get(like.filter, field);
           });
  });
}

Answer Subscriptions::set(const Snapshot& snapshot, const Requester& requester, const Query& query,
                          const hw::Datagram& request) {
  Subscription asked{.subscriber = snapshot.fabric().port(requester.port).guid,
                     .trusted = requester.trusted,
                     .address = {request.lid, request.queue_pair, request.service_level}};
  std::copy_n(query.record.begin(), Subscription::kSize, asked.filter.begin());
  constexpr std::size_t kAnswerSize = 40;  // whole units of 8 bytes
  Answer answer{.record_size = kAnswerSize, .records = std::vector<std::uint8_t>(kAnswerSize)};
  std::ranges::copy(asked.filter, answer.records.begin());

  const std::uint64_t subscribe = get(asked.filter, kSubscribe);
  if (get(asked.filter, kLidEnd) == 0) hw::set(asked.filter, kLidEnd, get(asked.filter, kLidBegin));
  if (subscribe > 1 || !may_watch(snapshot, requester, asked)) return {.status = Status::request_invalid};
  if (wants_security_trap(asked) && !requester.trusted) return {.status = Status::request_invalid};
  const auto had = find(asked.subscriber, asked);
  if (subscribe == 0) {
    if (had == all_.end() || get(had->filter, kQueuePair) != get(asked.filter, kQueuePair))
      return {.status = Status::request_invalid};
    changes_.push_back(registration(*had, true));
    all_.erase(had);
    return answer;
  }
  hw::set(asked.filter, kQueuePair, request.queue_pair);
  if (had != all_.end()) {
    *had = asked;
    changes_.push_back(registration(asked, false));
    return answer;
  }
  if (all_.size() >= kMostSubscriptions ||
      std::ranges::count(all_, asked.subscriber, &Subscription::subscriber) >= kMostSubscriptionsOfPort)
    return {.status = Status::no_resources};
  all_.push_back(asked);
  changes_.push_back(registration(asked, false));
  return answer;
}

/// The queue pair is for the trusted only.
Answer Subscriptions::list(const Snapshot& snapshot, const Requester& requester, const Query& query) const {
  Answer answer{.record_size = kRecordSize};
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const Subscription& s = all_[i];
    const auto port = snapshot.fabric().find_port(s.subscriber);
    if (!port || (!requester.trusted && !common_pkey(snapshot, requester.port, *port))) continue;
    std::array<std::uint8_t, kRecordSize> record{};
    std::ranges::copy(make_gid(snapshot.prefix(), s.subscriber), record.begin());
    hw::set(record, kEnum, i);
    std::ranges::copy(s.filter, record.begin() + kInformInfo);
    if (!requester.trusted) hw::set(record, {52, 0, 24}, 0);
    const auto same_gid = [&](unsigned component, std::size_t at) {
      return !query.has(component) ||
             read_gid(std::span(record).subspan(at)) == read_gid(query.record.subspan(at, sizeof(Gid)));
    };
    const bool asked = same_gid(kSubscriberComponent, 0) && same_gid(kGidComponent, kInformInfo) &&
                       std::ranges::all_of(kRecordFields, [&](const RecordField& f) {
                         return !query.has(f.component) || get(record, f.field) == get(query.record, f.field);
                       });
    if (asked) answer.records.insert(answer.records.end(), record.begin(), record.end());
  }
  if (query.method == Method::get && answer.records.empty()) return {.status = Status::no_records};
  if (query.method == Method::get && answer.records.size() > kRecordSize)
    return {.status = Status::too_many_records};
  return answer;
}

std::size_t Subscriptions::count_of(Guid subscriber) const {
  return static_cast<std::size_t>(std::ranges::count(all_, subscriber, &Subscription::subscriber));
}

bool Subscriptions::subscribes(const Query& query) { return get(query.record, kSubscribe) == 1; }

std::vector<ReportAddress> Subscriptions::addressed_by(const Snapshot& snapshot, const Notice& notice) const {
  std::vector<ReportAddress> addresses;
  for (const Subscription& s : all_)
    if (fits(s, notice) && may_learn(snapshot, s, notice)) addresses.push_back(s.address);
  return addresses;
}

void Subscriptions::list(std::vector<JournalRecord>& out) const {
  for (const Subscription& s : all_) out.push_back(registration(s, false));
}

void Subscriptions::restore(std::span<const JournalRecord> records) {
  all_.clear();
  changes_.clear();
  for (const JournalRecord& from : records) {
    if (from.attribute != Attribute::inform_info || from.record.size() != Subscription::kSize) continue;
    Subscription s{.subscriber = from.port,
                   .trusted = from.trusted,
                   .address = {.queue_pair = from.number, .service_level = from.service_level}};
    std::ranges::copy(from.record, s.filter.begin());
    const auto had = find(s.subscriber, s);
    if (from.gone && had != all_.end())
      all_.erase(had);
    else if (!from.gone && had != all_.end())
      *had = s;
    else if (!from.gone)
      all_.push_back(s);
  }
}

void Subscriptions::drop(const ReportAddress& to) {
  std::erase_if(all_, [&](const Subscription& s) {
    if (s.address.lid != to.lid || s.address.queue_pair != to.queue_pair) return false;
    changes_.push_back(registration(s, true));
    return true;
  });
}

/// A port keeps its subscriptions under another LID.
void Subscriptions::follow(const Snapshot& snapshot) {
  const fabric::Fabric& fabric = snapshot.fabric();
  std::erase_if(all_, [&](const Subscription& s) {
    if (fabric.find_port(s.subscriber)) return false;
    changes_.push_back(registration(s, true));
    return true;
  });
  for (Subscription& s : all_) s.address.lid = fabric.port(*fabric.find_port(s.subscriber)).lid.value;
}

}  // namespace rch::sa
