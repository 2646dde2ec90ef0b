#include "sa/server.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <xxhash.h>

#include "sa/answer.h"
#include "sa/group_path.h"
#include "sa/mc_member_fields.h"
#include "sa/mc_member_record.h"

namespace rch::sa {
namespace {

namespace common = hw::mad_header;

Query query_of(const hw::Mad& mad, std::span<const std::uint8_t> record, bool in_segments) {
  return {.method = static_cast<Method>(get(mad, common::kMethod)),
          .attribute = static_cast<Attribute>(get(mad, common::kAttribute)),
          .modifier = static_cast<std::uint32_t>(get(mad, common::kModifier)),
          .mask = get(mad, header::kComponentMask),
          .record = record,
          .in_segments = in_segments};
}

std::uint64_t answer_method(std::uint64_t method) {
  constexpr std::uint64_t kGetResponse = 0x81;
  return method == static_cast<std::uint64_t>(Method::set) ? kGetResponse : method | kResponse;
}

/// Pairs of a table of paths, before others have their turn: some milliseconds.
constexpr std::size_t kPairsAtOnce = 2000;
/// Tables of paths that are being made.
constexpr std::size_t kMostListings = 64;
constexpr std::ptrdiff_t kMostListingsOfSource = 2;
/// Requests for alias GUIDs that wait until ports have those of others.
constexpr std::size_t kMostGuidChanges = 1024;

/// The number of one time as master, made of when it began and whose it is.
std::uint64_t session_of(Guid manager, hw::TimePoint now) {
  const std::uint64_t parts[] = {manager.value, static_cast<std::uint64_t>(now.time_since_epoch().count())};
  return std::max<std::uint64_t>(1, XXH3_64bits(parts, sizeof parts));
}

bool registers(std::uint64_t method) {
  return method == static_cast<std::uint64_t>(Method::set) ||
         method == static_cast<std::uint64_t>(Method::remove);
}

bool is_table(std::uint64_t method) {
  return method == static_cast<std::uint64_t>(Method::get_table) ||
         method == static_cast<std::uint64_t>(Method::get_trace_table) ||
         method == static_cast<std::uint64_t>(Method::get_multi);
}

/// Stands for the data of a request in segments where requests are compared: it is more than the first of
/// them.
void put_digest(hw::Mad& mad, std::span<const std::uint8_t> data) {
  std::fill(mad.begin() + header::kData, mad.end(), std::uint8_t{0});
  set(mad, hw::Field{header::kData, 0, 64}, XXH3_64bits(data.data(), data.size()));
}

/// `answer` still has the data of its request. Only GetTable asks for more than one attribute.
bool is_answer_to(const hw::Datagram& answer, const hw::Datagram& request) {
  const auto same = [&](hw::Field field) { return get(answer.mad, field) == get(request.mad, field); };
  const std::uint64_t method = get(request.mad, common::kMethod);
  const bool is_get_table = method == static_cast<std::uint64_t>(Method::get_table);
  return get(answer.mad, common::kMethod) == answer_method(method) &&
         (!is_get_table || same(common::kAttribute)) && same(common::kModifier) &&
         same(header::kComponentMask) &&
         std::equal(answer.mad.begin() + header::kData, answer.mad.end(),
                    request.mad.begin() + header::kData);
}

}  // namespace

void Server::publish(std::shared_ptr<const Snapshot> snapshot, hw::TimePoint now) {
  const std::shared_ptr<const Snapshot> before = std::exchange(snapshot_, std::move(snapshot));
  if (!snapshot_) {
    followers_.forget();
    listings_.clear();
    guid_changes_.clear();
    guid_write_.reset();
    change_notices_.clear();
    return withheld_.clear();
  }
  const policy::AdministrationOptions& options = snapshot_->plan.options.administration;
  reports_.limit(options.reports_open, options.reports_queued);
  if (!before) followers_.begin(session_of(snapshot_->fabric().port(snapshot_->local).guid, now));
  followers_.offer(snapshot_->plan);
  published_fabric_ = journal_mark(snapshot_->fabric());
  const std::uint64_t version = groups_.version();
  groups_.follow(*snapshot_);
  aliases_.follow(snapshot_->fabric());
  rates_.follow(snapshot_->fabric());
  refused_joins_.follow(snapshot_->fabric());
  subscriptions_.follow(*snapshot_);
  services_.follow(*snapshot_);
  if (before) report_ports(*before, now);
  report_groups(now);
  report_changes(now);
  if (groups_.version() != version && groups_changed_) groups_changed_();
}

void Server::on_trap(std::span<const std::uint8_t> trap, Lid from, hw::TimePoint now) {
  if (!snapshot_) return;
  const Notice notice = notice_of_trap(*snapshot_, trap, from);
  if (!change_notices_.add(notice, now)) report(notice, now);
  report_changes(now);
}

void Server::report(const Notice& notice, hw::TimePoint now) {
  for (const ReportAddress& to : subscriptions_.addressed_by(*snapshot_, notice))
    reports_.send(notice, to, now);
}

/// End ports that went and came since.
void Server::report_ports(const Snapshot& before, hw::TimePoint now) {
  if (subscriptions_.all().empty() || before.fabric().fingerprint() == snapshot_->fabric().fingerprint())
    return;
  const auto report_missing = [&](const Snapshot& from, const Snapshot& in, notice::Trap trap) {
    for (std::uint32_t p = 0; p < from.fabric().ports().size(); ++p) {
      const fabric::Port& port = from.fabric().port(PortId(p));
      if (!from.is_end_port(PortId(p)) || port.lid == kUnassignedLid || in.fabric().find_port(port.guid))
        continue;
      report(notice_of(*snapshot_, trap, make_gid(from.prefix(), port.guid)), now);
    }
  };
  report_missing(before, *snapshot_, notice::out_of_service);
  report_missing(*snapshot_, before, notice::in_service);
}

void Server::report_groups(hw::TimePoint now) {
  for (const GroupEvent& event : groups_.take_events()) {
    if (tell_group_) tell_group_(event);
    const bool created = event.what == GroupEvent::What::created;
    if ((created && !event.planned) || event.what == GroupEvent::What::deleted)
      report(notice_of(*snapshot_, created ? notice::group_created : notice::group_deleted, event.mgid), now);
  }
}

void Server::report_changes(hw::TimePoint now) {
  if (!snapshot_) return;
  for (const Notice& notice : change_notices_.take(*snapshot_, now)) report(notice, now);
}

/// Header checks that need no answer when they fail (docs/subnet-administration.md, Who may see what).
bool Server::is_request(const hw::Datagram& datagram) {
  const auto& mad = datagram.mad;
  const bool good = datagram.status == 0 && get(mad, common::kResponse) == 0 &&
                    get(mad, common::kBaseVersion) == 1 && get(mad, common::kClassVersion) == kClassVersion;
  ++(good ? counters_.requests : counters_.malformed);
  return good;
}

std::optional<Requester> Server::requester_of(const hw::Datagram& datagram) {
  const std::uint64_t key = get(datagram.mad, header::kSmKey);
  if (key != 0 && key != snapshot_->plan.options.manager.sa_key) {
    ++counters_.wrong_key;
    drop(datagram, "its SA_Key is wrong");
    return std::nullopt;
  }
  // Our own host may send by LID 0.
  const Lid from(datagram.lid);
  const auto port = from == kUnassignedLid ? snapshot_->local : snapshot_->fabric().lid_owner(from);
  if (!port) {
    ++counters_.unknown;
    return std::nullopt;
  }
  if (is_spoofed(datagram, *port)) {
    ++counters_.spoofed;
    drop(datagram, "its SGID is not that of the port that sent it");
    return std::nullopt;
  }
  return Requester{.port = *port, .trusted = key != 0};
}

/// `sa_check_sgid_spoofing`. A router forwards what others sent.
bool Server::is_spoofed(const hw::Datagram& datagram, PortId from) const {
  if (!datagram.global_route || !snapshot_->plan.options.administration.check_sgid_spoofing) return false;
  const fabric::Port& port = snapshot_->fabric().port(from);
  if (snapshot_->fabric().node(port.node).type == fabric::NodeType::router) return false;
  const Gid& gid = datagram.global_route->gid;
  const bool of_subnet = prefix_of(gid) == snapshot_->prefix() || prefix_of(gid) == kLinkLocalPrefix;
  return !of_subnet || (guid_of(gid) != port.guid && aliases_.owner(guid_of(gid)) != port.guid);
}

/// `sa_rate_threshold`. Not for our own port, and not for managers that follow.
bool Server::is_throttled(const Requester& requester, const hw::Datagram& datagram, hw::TimePoint now) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max() / 10;
  const std::uint32_t per_second = 10 * std::min(snapshot_->plan.options.administration.request_rate, kMost);
  if (per_second == 0 || requester.port == snapshot_->local) return false;
  const auto attribute = static_cast<Attribute>(get(datagram.mad, common::kAttribute));
  if (attribute == Attribute::manager_state && may_follow(*snapshot_, requester)) return false;
  return !rates_.take(snapshot_->fabric().port(requester.port).guid, per_second, now);
}

void Server::on_datagram(const hw::Datagram& datagram, hw::TimePoint now) {
  if (!snapshot_ || reports_.on_datagram(datagram)) return;
  if (!rmpp_.on_datagram(datagram, now)) {
    on_request(datagram, std::span(datagram.mad).subspan(header::kData, kDataSize), false, now);
    return;
  }
  for (Rmpp::Received& received : rmpp_.take_received()) {
    put_digest(received.first.mad, received.data);
    received.data.resize(std::max(received.data.size(), kDataSize));  // decoders read a whole record
    on_request(received.first, received.data, true, now);
  }
}

void Server::drop(const hw::Datagram& datagram, std::string_view why) const {
  if (!tell_dropped_) return;
  tell_dropped_({.from = Lid(datagram.lid),
                 .attribute = static_cast<Attribute>(get(datagram.mad, common::kAttribute)),
                 .method = static_cast<Method>(get(datagram.mad, common::kMethod)),
                 .why = why});
}

void Server::on_request(const hw::Datagram& first, std::span<const std::uint8_t> record, bool in_segments,
                        hw::TimePoint now) {
  if (!is_request(first)) return;
  const auto requester = requester_of(first);
  if (!requester) return;
  if (is_throttled(*requester, first, now)) {
    ++counters_.throttled;
    if (rates_.is_news(snapshot_->fabric().port(requester->port).guid, now))
      drop(first, "its port sends more requests than `sa_rate_threshold` allows");
    return;
  }
  if (is_repetition(first, now)) {
    ++counters_.repeated;
    return;
  }
  const bool is_of_follower =
      get(first.mad, common::kAttribute) == static_cast<std::uint64_t>(Attribute::manager_state);
  if (!snapshot_->plan.options.administration.is_enabled && !is_of_follower)
    return drop(first, "`enable_sa` is FALSE");
  Query query = query_of(first.mad, record, in_segments);
  query.aliases = &aliases_;
  const std::string_view why = objection(snapshot_->plan.options.administration,
                                         {groups_, services_, subscriptions_}, *snapshot_, *requester, query);
  if (!why.empty()) {
    ++counters_.distrusted;
    return drop(first, why);
  }
  if (query.attribute == Attribute::manager_state)
    return may_follow(*snapshot_, *requester) ? reply(first, answer_follower(first, now), now)
                                              : drop(first, "only subnet managers may follow");
  if (query.attribute == Attribute::guid_info_record && registers(get(first.mad, common::kMethod)))
    return change_guids(first, now);
  if (leads_to_group(query))
    return reply(first, answer_group_path(groups_, *snapshot_, *requester, query), now);
  if (query.attribute == Attribute::path_record && query.method == Method::get_table)
    return list_paths(first, *requester, query, now);
  reply(first, answer_to(*requester, query, first, now), now);
}

/// A port is given its alias GUIDs one request after the other: what it has by then decides.
void Server::change_guids(const hw::Datagram& request, hw::TimePoint now) {
  if (guid_changes_.size() >= kMostGuidChanges) return reply(request, {.status = Status::busy}, now);
  guid_changes_.push_back({.request = request});
  begin_guid_write(now);
}

void Server::begin_guid_write(hw::TimePoint now) {
  while (!guid_write_ && !guid_changes_.empty()) {
    const GuidChange next = guid_changes_.front();
    guid_changes_.pop_front();
    const auto requester = requester_of(next.request);
    if (!requester) continue;
    const std::span<const std::uint8_t> record(next.request.mad);
    const Query query = query_of(next.request.mad, record.subspan(header::kData, kDataSize), false);
    auto change = aliases_.change(*snapshot_, *requester, query, groups_);
    if (auto* write = std::get_if<GuidWrite>(&change))
      guid_write_ = {next, std::move(*write)};
    else if (next.awaited)
      reply(next.request, std::get<Answer>(std::move(change)), now);
  }
}

void Server::on_guids_written(bool taken, hw::TimePoint now) {
  if (!guid_write_) return;
  OpenGuidWrite written = *std::exchange(guid_write_, std::nullopt);
  if (taken) aliases_.note(written.write);
  if (written.change.awaited)
    reply(written.change.request,
          taken ? std::move(written.write.answer) : Answer{.status = Status::no_resources}, now);
  begin_guid_write(now);
}

/// True if the answer to `request` is on its way, or what it asks for is being made. Who asks something else
/// under the same TransactionID has given up the former: often another process, whose numbers begin anew. It
/// gets no answer to that one, which it would take for its own.
bool Server::is_repetition(const hw::Datagram& request, hw::TimePoint now) {
  if (recent_answers_.cover(request)) return true;
  const TransferKey key = transfer_key(request);
  std::erase_if(withheld_, [&](const Withheld& former) {
    return transfer_key(former.answer) == key && former.request != request.mad;
  });
  const auto open = std::ranges::find_if(
      listings_, [&](const OpenListing& former) { return transfer_key(former.request) == key; });
  if (open != listings_.end()) {
    if (open->request.mad == request.mad) return true;
    listings_.erase(open);
  }
  if (awaits_guids(request)) return true;
  const hw::Datagram* answer = rmpp_.sending_to(request);
  if (answer == nullptr) return false;
  const bool same = is_answer_to(*answer, request);
  same ? rmpp_.begin_again(request, now) : rmpp_.forget(request);
  return same;
}

/// True if a port is being given the alias GUIDs that `request` asks for, or will be.
bool Server::awaits_guids(const hw::Datagram& request) {
  const auto awaits = [&](GuidChange& former) {
    if (transfer_key(former.request) != transfer_key(request)) return false;
    former.awaited = former.request.mad == request.mad;
    return former.awaited;
  };
  bool found = guid_write_ && awaits(guid_write_->change);
  for (GuidChange& change : guid_changes_) found |= awaits(change);
  return found;
}

/// A short table is answered at once. Others take their turns.
void Server::list_paths(const hw::Datagram& request, const Requester& requester, const Query& query,
                        hw::TimePoint now) {
  PathListing listing(snapshot_, requester, query);
  if (listing.go_on(kPairsAtOnce)) return reply(request, listing.take(), now);
  const auto of_source =
      std::ranges::count(listings_, request.lid, [](const OpenListing& open) { return open.request.lid; });
  if (listings_.size() >= kMostListings || of_source >= kMostListingsOfSource)
    return reply(request, {.status = Status::busy}, now);
  listings_.push_back({request, std::move(listing)});
}

/// Each goes on a little, so that a short one does not wait for a long one.
void Server::go_on_listing(hw::TimePoint now) {
  if (listings_.empty()) return;
  OpenListing open = std::move(listings_.front());
  listings_.erase(listings_.begin());
  if (open.listing.go_on(kPairsAtOnce))
    reply(open.request, open.listing.take(), now);
  else
    listings_.push_back(std::move(open));
}

Answer Server::answer_to(const Requester& requester, const Query& query, const hw::Datagram& request,
                         hw::TimePoint now) {
  const bool reads = query.method == Method::get || query.method == Method::get_table;
  switch (query.attribute) {
    case Attribute::mc_member_record:
      return answer_group(requester, query, now);
    case Attribute::service_record:
      return services_.answer(*snapshot_, requester, query, now);
    case Attribute::inform_info:
      if (query.method == Method::set) return subscriptions_.set(*snapshot_, requester, query, request);
      break;
    case Attribute::inform_info_record:
      if (reads) return subscriptions_.list(*snapshot_, requester, query);
      break;
    default:
      break;
  }
  return answer(*snapshot_, requester, query);
}

Answer Server::answer_group(const Requester& requester, const Query& query, hw::TimePoint now) {
  const std::uint64_t before = groups_.version();
  Answer answer = answer_mc_member(groups_, *snapshot_, requester, query);
  if (query.method == Method::set) note_join(requester, query, answer);
  report_groups(now);
  if (groups_.version() != before && groups_changed_) groups_changed_();
  return answer;
}

void Server::note_join(const Requester& requester, const Query& query, const Answer& answer) {
  const Guid asking = snapshot_->fabric().port(requester.port).guid;
  const Guid port = guid_of(read_gid(query.record.subspan(mc_member::kPortGid, sizeof(Gid))));
  const Gid mgid = read_gid(query.record.subspan(mc_member::kMgid, sizeof(Gid)));
  if (answer.status == Status::good) return refused_joins_.forget(asking, port, mgid);
  const JoinRefused refused{port, mgid, answer.why};
  if (refused_joins_.is_news(asking, refused) && tell_refused_) tell_refused_(refused);
}

/// What a manager that stands by does not have yet.
Answer Server::answer_follower(const hw::Datagram& request, hw::TimePoint now) {
  if (get(request.mad, common::kMethod) != static_cast<std::uint64_t>(Method::get_table))
    return {.status = Status::unsupported_method_attribute};
  const auto question = decode_question(std::span(request.mad).subspan(header::kData));
  if (!question) return {.status = Status::unsupported_version};
  collect_changes();
  const ManagerState state =
      followers_.answer(Lid(request.lid), *question, now, [this] { return whole_journal(); });
  return {.record_size = 8, .records = encode(state)};
}

void Server::on_time(hw::TimePoint now) {
  now_ = now;
  if (!withheld_.empty()) followers_.on_time(now, withheld_.front().since, withheld_.front().records);
  go_on_listing(now);
  rmpp_.on_time(now);
  services_.on_time(now);
  report_changes(now);
  reports_.on_time(now);
  for (const ReportAddress& silent : reports_.take_silent())
    if (snapshot_ && snapshot_->plan.options.administration.drop_unanswered_subscriptions)
      subscriptions_.drop(silent);
}

void Server::restore(const JournalContent& journal, hw::TimePoint now) {
  groups_.restore(journal.records);
  aliases_.restore(journal.records);
  left_out_.restore(journal.records);
  services_.restore(journal.records, now);
  subscriptions_.restore(journal.records);
  restored_ = journal.damage.empty() ? journal.fabric : 0;
  afresh_ = true;
}

void Server::take_over(const JournalContent& journal, bool whole, hw::TimePoint now) {
  restore(journal, now);
  took_over_ = true;
  published_fabric_ = whole ? restored_ : 0;
}

bool Server::knows_hosts_of(const fabric::Fabric& fabric) const { return restored_ == journal_mark(fabric); }

/// A disk that is full is not written to at every turn.
void Server::on_not_kept() {
  afresh_ = true;
  keep_from_ = now_ + std::chrono::seconds(1);
}

/// Followers get them whatever becomes of the disk.
void Server::collect_changes() {
  if (!snapshot_) return;
  std::vector<JournalRecord> changed;
  for (auto&& some : {left_out_.take_changes(), aliases_.take_changes(), groups_.take_changes(),
                      services_.take_changes(), subscriptions_.take_changes()})
    changed.insert(changed.end(), some.begin(), some.end());
  const auto add = [this](const auto& write) {
    const std::size_t before = changes_.size();
    write();
    followers_.append(std::string_view(changes_).substr(before));
  };
  if (std::exchange(kept_fabric_, published_fabric_) != published_fabric_)
    add([this] { append_fabric(changes_, published_fabric_); });
  for (const JournalRecord& change : changed) add([&] { append(changes_, change); });
}

/// The mark comes last: a journal that breaks off between two records does not look whole.
std::string Server::whole_journal() const {
  std::string journal;
  std::vector<JournalRecord> all;
  left_out_.list(all);
  aliases_.list(all);
  groups_.list(all);
  services_.list(now_, all);
  subscriptions_.list(all);
  for (const JournalRecord& record : all) append(journal, record);
  append_fabric(journal, published_fabric_);
  return journal;
}

/// From the first plan on, or from the moment we took over: before, the journal of an earlier process stands.
hw::Keeping Server::take_records() {
  constexpr std::size_t kSmall = 65536;
  if (!snapshot_ && !took_over_) return {};
  collect_changes();
  hw::Keeping keeping{.bytes = std::exchange(changes_, {})};
  if (now_ < keep_from_) return {};  // all of it is written anew then
  grown_ += keeping.bytes.size();
  const bool is_long = grown_ > journal_size_ + kSmall;
  if (!afresh_ && !is_long) return keeping;
  keeping = {.afresh = true, .bytes = std::string(journal_heading()) + whole_journal()};
  journal_size_ = keeping.bytes.size();
  grown_ = 0;
  afresh_ = false;
  if (is_long) followers_.begin_again();
  return keeping;
}

void Server::release_withheld() {
  while (!withheld_.empty() && followers_.have(withheld_.front().records)) {
    out_.push_back({withheld_.front().answer, hw::Milliseconds{0}});
    withheld_.pop_front();
  }
}

hw::TimePoint Server::followers_deadline() const {
  return withheld_.empty() ? hw::TimePoint::max()
                           : followers_.deadline(withheld_.front().since, withheld_.front().records);
}

void Server::take_datagrams(std::vector<hw::OutgoingDatagram>& out, hw::TimePoint now) {
  release_withheld();
  std::ranges::move(out_, std::back_inserter(out));
  out_.clear();
  recent_answers_.on_sent(now);
  reports_.take_datagrams(out);
  const std::vector<hw::Datagram> segments = rmpp_.take_datagrams();
  out.reserve(out.size() + segments.size());
  for (const hw::Datagram& segment : segments) out.push_back({segment, hw::Milliseconds{0}});
}

void Server::count(const hw::Datagram& request, Status status) {
  constexpr Attribute kOther{};
  const auto attribute = static_cast<Attribute>(get(request.mad, common::kAttribute));
  ++counters_.answered;
  ++counters_.by_attribute[{name_of(attribute) == name_of(kOther) ? kOther : attribute, status}];
  if (status == Status::good) return;
  ++counters_.refused;
  ++counters_.refused_by[status];
}

/// The header of the request comes back with the status (IBA 15.4). A table is one RMPP transfer, however
/// short. What registers is answered when all followers have it, also if it changed nothing: it may repeat
/// what they do not have yet.
void Server::reply(const hw::Datagram& request, Answer answer, hw::TimePoint now) {
  hw::Datagram datagram = request;
  hw::Mad& mad = datagram.mad;
  const std::uint64_t method = get(mad, common::kMethod);
  set(mad, common::kMethod, answer_method(method));
  std::fill(mad.begin() + header::kRmppVersion.byte, mad.begin() + header::kSmKey.byte, std::uint8_t{0});
  set(mad, header::kSmKey, 0);
  if (answer.attribute) set(mad, common::kAttribute, static_cast<std::uint64_t>(*answer.attribute));
  set(mad, header::kAttributeOffset, answer.records.empty() ? 0 : answer.record_size / 8);
  if (answer.status == Status::good && is_table(method)) {
    set(mad, common::kStatus, 0);
    if (rmpp_.send(datagram, std::move(answer.records), now)) return count(request, Status::good);
    answer = {.status = Status::busy};
    set(mad, header::kAttributeOffset, 0);
  }
  count(request, answer.status);
  set(mad, common::kStatus, static_cast<std::uint64_t>(answer.status));
  std::fill(mad.begin() + header::kData, mad.end(), std::uint8_t{0});
  std::copy_n(answer.records.begin(), std::min(answer.records.size(), kDataSize),
              mad.begin() + header::kData);
  if (!registers(method)) {
    recent_answers_.add(request);
    return out_.push_back({datagram, hw::Milliseconds{0}});
  }
  collect_changes();
  withheld_.push_back({followers_.end(), now, datagram, request.mad});
}

}  // namespace rch::sa
