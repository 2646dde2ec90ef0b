#include "sa/service_records.h"

#include <algorithm>
#include <cstring>

#include "sa/alias_guids.h"
#include "sa/gid.h"
#include "sa/partition.h"

namespace rch::sa {
namespace {

using Record = ServiceRecords::Record;

constexpr std::size_t kNameSize = 26;  ///< ServiceID, ServiceGID, ServiceP_Key
constexpr hw::Field kServicePKey{24, 0, 16}, kServiceLease{28, 0, 32};
constexpr std::size_t kServiceGid = 8;
constexpr std::uint32_t kForever = 0xFFFFFFFF;

/// Records in all, and of one port.
constexpr std::size_t kMostServices = 65536, kMostServicesOfPort = 1024;

constexpr unsigned kIdPart = 0, kGidPart = 1, kPKeyPart = 2, kLeasePart = 4, kKeyPart = 5, kNamePart = 6;

/// Bytes that a component covers. Leases are not compared.
struct Part {
  unsigned component;
  std::size_t begin, size;
};
constexpr auto kParts = [] {
  std::array<Part, 35> parts{};
  std::size_t n = 0;
  for (const Part& part : {Part{kIdPart, 0, 8}, Part{kGidPart, 8, 16}, Part{kPKeyPart, 24, 2},
                           Part{kKeyPart, 32, 16}, Part{kNamePart, 48, 64}})
    parts[n++] = part;
  unsigned component = 7;
  std::size_t at = 112;
  // ServiceData8, 16, 32 and 64: 16 bytes of each.
  for (const std::size_t width : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8}})
    for (std::size_t i = 0; i < 16 / width; ++i, at += width) parts[n++] = {component++, at, width};
  return parts;
}();
constexpr Part kKey = kParts[3];

Record record_of(const Query& query) {
  Record record{};
  std::copy_n(query.record.begin(), record.size(), record.begin());
  return record;
}

int compare_names(const Record& a, const Record& b) { return std::memcmp(a.data(), b.data(), kNameSize); }

bool matches(const Record& record, const Query& query, bool trusted) {
  return std::ranges::all_of(kParts, [&](const Part& part) {
    if (!query.has(part.component) || (part.component == kKeyPart && !trusted)) return true;
    return std::equal(record.begin() + static_cast<std::ptrdiff_t>(part.begin),
                      record.begin() + static_cast<std::ptrdiff_t>(part.begin + part.size),
                      query.record.begin() + static_cast<std::ptrdiff_t>(part.begin));
  });
}

/// The key is for the trusted only.
void append(const Record& record, bool trusted, std::vector<std::uint8_t>& records) {
  const std::size_t at = records.size();
  records.insert(records.end(), record.begin(), record.end());
  if (!trusted)
    std::fill_n(records.begin() + static_cast<std::ptrdiff_t>(at + kKey.begin), kKey.size, std::uint8_t{0});
}

Answer one_record(const Record& record, bool trusted) {
  Answer answer{.record_size = ServiceRecords::kSize};
  append(record, trusted, answer.records);
  return answer;
}

hw::TimePoint end_of_lease(std::uint32_t seconds, hw::TimePoint now) {
  return seconds == kForever ? hw::TimePoint::max() : now + std::chrono::seconds(seconds);
}

/// A record with a P_Key is seen in its partition.
bool sees(const Snapshot& snapshot, const Requester& requester, const Record& record) {
  const auto pkey = static_cast<std::uint16_t>(get(record, kServicePKey));
  return requester.trusted || pkey == 0 || holds_pkey(snapshot, requester.port, pkey);
}

}  // namespace

Answer ServiceRecords::answer(const Snapshot& snapshot, const Requester& requester, const Query& query,
                              hw::TimePoint now) {
  switch (query.method) {
    case Method::get:
    case Method::get_table:
      return list(snapshot, requester, query);
    case Method::set:
      return add(snapshot, requester, query, now);
    case Method::remove:
      return remove(snapshot, requester, query);
    default:
      return {.status = Status::unsupported_method_attribute};
  }
}

Answer ServiceRecords::list(const Snapshot& snapshot, const Requester& requester, const Query& query) const {
  Answer answer{.record_size = kSize};
  for (const Entry& entry : entries_)
    if (matches(entry.record, query, requester.trusted) && sees(snapshot, requester, entry.record))
      append(entry.record, requester.trusted, answer.records);
  if (query.method == Method::get && answer.records.empty()) return {.status = Status::no_records};
  if (query.method == Method::get && answer.records.size() > kSize)
    return {.status = Status::too_many_records};
  return answer;
}

/// A record with a ServiceKey is changed and deleted by who knows it (C15-0.1.14), and by the port that
/// registered it where the request selects no key: osmtest deletes so.
bool ServiceRecords::may_change(const Snapshot& snapshot, const Requester& requester, const Entry& entry,
                                const Query& query) {
  const std::span<const std::uint8_t> key = std::span(entry.record).subspan(kKey.begin, kKey.size);
  const bool has_key = std::ranges::any_of(key, [](std::uint8_t byte) { return byte != 0; });
  if (requester.trusted || !has_key) return true;
  if (!query.has(kKeyPart)) return entry.owner == snapshot.fabric().port(requester.port).guid;
  return std::ranges::equal(key, query.record.subspan(kKey.begin, kKey.size));
}

/// A record of the same name is replaced.
Answer ServiceRecords::add(const Snapshot& snapshot, const Requester& requester, const Query& query,
                           hw::TimePoint now) {
  if (!query.has(kIdPart) || !query.has(kGidPart)) return {.status = Status::request_invalid};
  Record record = record_of(query);
  if (query.has(kPKeyPart)) {
    const auto of = find_port(snapshot, query, guid_of(read_gid(std::span(record).subspan(kServiceGid))));
    const auto pkey = static_cast<std::uint16_t>(get(record, kServicePKey));
    if (!of || !holds_pkey(snapshot, *of, pkey) || !holds_pkey(snapshot, requester.port, pkey))
      return {.status = Status::request_invalid};
  }
  if (!query.has(kLeasePart)) set(record, kServiceLease, kForever);
  const auto seconds = static_cast<std::uint32_t>(get(record, kServiceLease));
  const Guid owner = snapshot.fabric().port(requester.port).guid;
  const auto at = find(record);
  if (at == entries_.end() || compare_names(at->record, record) != 0) {
    if (entries_.size() >= kMostServices ||
        std::ranges::count(entries_, owner, &Entry::owner) >= std::ptrdiff_t{kMostServicesOfPort})
      return {.status = Status::no_resources};
  } else if (!may_change(snapshot, requester, *at, query)) {
    return {.status = Status::request_denied};
  }
  const Entry entry{record, owner, end_of_lease(seconds, now)};
  put(entry);
  changes_.push_back(registration(entry, now));
  set_deadline();
  if (!query.has(kPKeyPart)) set(record, kServicePKey, 0xFFFF);
  return one_record(record, requester.trusted);
}

Answer ServiceRecords::remove(const Snapshot& snapshot, const Requester& requester, const Query& query) {
  const auto at = find(record_of(query));
  if (at == entries_.end() || compare_names(at->record, record_of(query)) != 0)
    return {.status = Status::no_records};
  if (!may_change(snapshot, requester, *at, query)) return {.status = Status::request_denied};
  const Record record = at->record;
  note_gone(*at);
  entries_.erase(at);
  set_deadline();
  return one_record(record, requester.trusted);
}

std::size_t ServiceRecords::count_of(Guid owner) const {
  return static_cast<std::size_t>(std::ranges::count(entries_, owner, &Entry::owner));
}

bool ServiceRecords::knows(const Query& query) const {
  const Record name = record_of(query);
  return std::ranges::any_of(entries_,
                             [&](const Entry& entry) { return compare_names(entry.record, name) == 0; });
}

std::vector<ServiceRecords::Entry>::iterator ServiceRecords::find(const Record& record) {
  return std::ranges::lower_bound(
      entries_, record, [](const Record& a, const Record& b) { return compare_names(a, b) < 0; },
      &Entry::record);
}

void ServiceRecords::on_time(hw::TimePoint now) {
  if (now < deadline_) return;
  drop_if([&](const Entry& entry) { return entry.until <= now; });
}

void ServiceRecords::follow(const Snapshot& snapshot) {
  if (!snapshot.plan.options.administration.drop_services_of_gone_ports) return;
  drop_if([&](const Entry& entry) { return !snapshot.fabric().find_port(entry.owner); });
}

template <class Goes>
void ServiceRecords::drop_if(const Goes& goes) {
  std::erase_if(entries_, [&](const Entry& entry) {
    if (!goes(entry)) return false;
    note_gone(entry);
    return true;
  });
  set_deadline();
}

void ServiceRecords::put(const Entry& entry) {
  const auto at = find(entry.record);
  if (at != entries_.end() && compare_names(at->record, entry.record) == 0)
    *at = entry;
  else
    entries_.insert(at, entry);
}

JournalRecord ServiceRecords::registration(const Entry& entry, hw::TimePoint now) {
  const auto left = std::chrono::ceil<std::chrono::seconds>(entry.until - now).count();
  return {.attribute = Attribute::service_record,
          .number = entry.until == hw::TimePoint::max() ? kForever : static_cast<std::uint32_t>(left),
          .port = entry.owner,
          .record = {entry.record.begin(), entry.record.end()}};
}

void ServiceRecords::note_gone(const Entry& entry) {
  changes_.push_back({.attribute = Attribute::service_record,
                      .gone = true,
                      .port = entry.owner,
                      .record = {entry.record.begin(), entry.record.end()}});
}

void ServiceRecords::list(hw::TimePoint now, std::vector<JournalRecord>& out) const {
  for (const Entry& entry : entries_) out.push_back(registration(entry, now));
}

void ServiceRecords::restore(std::span<const JournalRecord> records, hw::TimePoint now) {
  entries_.clear();
  changes_.clear();
  for (const JournalRecord& from : records) {
    if (from.attribute != Attribute::service_record || from.record.size() != kSize) continue;
    Entry entry{.record = {}, .owner = from.port, .until = end_of_lease(from.number, now)};
    std::ranges::copy(from.record, entry.record.begin());
    if (!from.gone) {
      put(entry);
      continue;
    }
    const auto at = find(entry.record);
    if (at != entries_.end() && compare_names(at->record, entry.record) == 0) entries_.erase(at);
  }
  set_deadline();
}

void ServiceRecords::set_deadline() {
  deadline_ = hw::TimePoint::max();
  for (const Entry& entry : entries_) deadline_ = std::min(deadline_, entry.until);
}

}  // namespace rch::sa
