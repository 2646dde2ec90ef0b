#include "hw/mastership.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "hw/causes.h"
#include "hw/discovery.h"
#include "hw/inquiry.h"

namespace rch::hw {
namespace {

constexpr std::uint8_t kHighestPriority = 15;
/// Modifiers of Set(SMInfo).
constexpr std::uint32_t kHandover = 1, kAcknowledge = 2, kDisable = 3, kStandby = 4, kDiscover = 5;
/// Another SM is asked again this often.
constexpr Milliseconds kPollEvery{50};
/// A master has 3 s to hand over; an SM that comes up has a minute to get somewhere.
constexpr int kHandoverPolls = 60, kRivalPolls = 1200;
/// A manager that stands by looks this often which SM its port names.
constexpr Milliseconds kNameEvery{1000};
/// An answer to the question for an SM that seems to be gone.
constexpr Milliseconds kHurry{300};
/// Each look but the last found that another SM had been there meanwhile.
constexpr int kMostLooks = 8;
/// Senders of Get(SMInfo) that are asked back. Who sends from many addresses must not make us ask them all.
constexpr std::size_t kMostSenders = 64;

const Route kOwnNode{};

/// A silent SM counts as master when it is the one our port was told to send its traps to. On our own port
/// nobody is silent: its process ended without a trace.
bool is_master(const LiveFabric& live, const OtherSm& sm) {
  if (sm.answered) return sm.info.state == SmState::master;
  if (sm.port == live.local) return false;
  const Lid known = live.info(live.local).master_sm_lid;
  return known != kUnassignedLid && known == live.info(sm.port).lid;
}

std::string describe(const LiveFabric& live, const OtherSm& sm) {
  const fabric::Node& node = live.fabric.node(live.fabric.port(sm.port).node);
  const std::string rank =
      sm.answered ? fmt::format("priority {}", sm.info.priority) : std::string("does not answer");
  return fmt::format("{} of `{}` (LID {}, {})", sm.guid, node.description, live.info(sm.port).lid, rank);
}

/// The manager that our port knows may sit behind a port that does not answer.
Result<void> check_no_hidden_master(const LiveFabric& live) {
  const Lid known = live.info(live.local).master_sm_lid;
  if (live.quarantine.empty() || known == kUnassignedLid || live.fabric.lid_owner(known)) return {};
  return fail(
      causes::kHiddenMaster,
      fmt::format("our port knows a subnet manager at LID {}, which may be behind {}: {}; nothing was "
                  "written (take the fabric from it with `--takeover`)",
                  known, live.quarantine.front().place, live.quarantine.front().reason));
}

/// Nodes that do not answer may be at any address that the fabric does not know.
bool may_lead_to_port(const LiveFabric& live, const Address& at) {
  if (!live.quarantine.empty()) return true;
  if (const Lid* lid = std::get_if<Lid>(&at)) return live.fabric.lid_owner(*lid).has_value();
  const Route& route = std::get<Route>(at);
  NodeId node = live.fabric.port(live.local).node;
  for (std::size_t hop = 1; hop <= route.hops; ++hop) {
    const PortNum exit(route.ports[hop]);
    if (exit.value > live.fabric.node(node).num_ports) return false;
    const PortId peer = live.fabric.port(live.fabric.port_id(node, exit)).peer;
    if (peer.is_none()) return false;
    node = live.fabric.port(peer).node;
  }
  return true;
}

/// Higher priority, then lower GUID (sm-sa 5). An SM with our GUID sits on our port.
bool outranks(const SmInfo& other, const SmInfo& own) {
  return std::tuple(own.priority, other.guid.value) <= std::tuple(other.priority, own.guid.value);
}

/// `watch_` is `watch` while this lives.
class Watching {
 public:
  Watching(const StandbyWatch*& place, const StandbyWatch& watch) : place_(place) { place_ = &watch; }
  ~Watching() { place_ = nullptr; }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  const StandbyWatch*& place_;
};

SmpRequest get_from(Address to, Attribute attribute, std::uint32_t modifier = 0) {
  return {.to = to, .attribute = attribute, .modifier = modifier};
}

std::optional<SmInfo> sm_info_in(const SmpAnswer& answer) {
  if (!answer.good()) return std::nullopt;
  return decode<SmInfo>(answer.data);
}

}  // namespace

Result<void> check_no_master(const LiveFabric& live, const ManagerOptions& options) {
  if (options.takeover) return {};
  for (const OtherSm& sm : live.other_sms) {
    if (!is_master(live, sm)) continue;
    return fail(
        causes::kAnotherMaster,
        fmt::format("the fabric has a master subnet manager: {}; nothing was written (stop it, or take the "
                    "fabric from it with `--takeover`)",
                    describe(live, sm)));
  }
  return check_no_hidden_master(live);
}

Address sender_of(const Datagram& request) {
  namespace h = mad_header;
  if (get(request.mad, h::kClass) != static_cast<std::uint8_t>(MadClass::directed_route))
    return Lid(request.lid);
  Route back;
  const auto hops = std::min<std::size_t>(get(request.mad, h::kHopCount), Route::kMaxHops);
  for (std::size_t hop = hops; hop > 0; --hop)
    back = back.through(PortNum(request.mad[h::kReturnPath + hop]));
  return back;
}

Mastership::Mastership(Exchange& exchange, const ManagerOptions& options, Responder others)
    : exchange_(exchange), options_(options), others_(std::move(others)) {
  shown_.key = options.sm_key;
  shown_.state = SmState::discovering;
  if (options.stays) shown_.priority = options.sm_priority;
  begins_inactive_ = options.stays && options.inactive;
  if (begins_inactive_) shown_.state = SmState::not_active;
}

/// A master has its own priority, so that a former master that comes back does not take the fabric again.
void Mastership::enter(SmState state) {
  shown_.state = state;
  if (state == SmState::master) {
    shown_.priority = std::max({shown_.priority, options_.sm_priority, options_.master_sm_priority});
    owes_handover_ = false;
  } else if (options_.stays) {
    shown_.priority = options_.sm_priority;
  }
}

// What others ask

/// Get(SMInfo) tells who is there. Of the Sets, a master agrees to a handover, and everybody stands by when a
/// master says so.
bool Mastership::answer(Datagram& datagram) {
  namespace h = mad_header;
  const auto method = static_cast<Method>(get(datagram.mad, h::kMethod));
  const auto attribute = static_cast<Attribute>(get(datagram.mad, h::kAttribute));
  const auto mad_class = static_cast<MadClass>(get(datagram.mad, h::kClass));
  const bool directed = mad_class == MadClass::directed_route;
  const bool asks = (method == Method::get || method == Method::set) && attribute == Attribute::sm_info &&
                    (directed || mad_class == MadClass::lid_routed);
  if (!asks) return others_ && others_(datagram);
  bool refused = false;
  if (const Address sender = sender_of(datagram); sender == Address(kOwnNode))
    heard_itself_ = true;
  else if (method == Method::get && senders_.size() < kMostSenders &&
           std::ranges::find(senders_, sender) == senders_.end())
    senders_.push_back(sender);
  if (method == Method::set) {
    SmpData data;
    std::copy_n(datagram.mad.begin() + h::kData, data.size(), data.begin());
    refused = !accepts(decode<SmInfo>(data), static_cast<std::uint32_t>(get(datagram.mad, h::kModifier)));
  }
  set(datagram.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  set(datagram.mad, h::kStatus, (directed ? 0x8000U : 0U) | (refused ? kStatusInvalidValue : 0U));
  shown_.activity = static_cast<std::uint32_t>(exchange_.counters().sent);
  std::ranges::copy(encode(shown_), datagram.mad.begin() + h::kData);
  return true;
}

bool Mastership::accepts(const SmInfo& sender, std::uint32_t modifier) {
  if (modifier == kHandover && shown_.state == SmState::master) {
    other_gave_way_ = true;
    return true;
  }
  if (options_.stays && modifier == kAcknowledge) return sender.state == SmState::standby;
  if (sender.state != SmState::master || sender.key != options_.sm_key || !options_.allows(sender.guid))
    return false;
  if (modifier == kStandby && shown_.state != SmState::not_active) {
    told_off_by_ = sender;
    return true;
  }
  return options_.stays && accepts_state(modifier);
}

/// What a master asks of a manager that stays.
bool Mastership::accepts_state(std::uint32_t modifier) {
  struct Transition {
    std::uint32_t modifier;
    SmState from, to;
  };
  constexpr Transition kTransitions[] = {{kHandover, SmState::standby, SmState::discovering},
                                         {kHandover, SmState::discovering, SmState::discovering},
                                         {kDisable, SmState::standby, SmState::not_active},
                                         {kDiscover, SmState::standby, SmState::discovering},
                                         {kStandby, SmState::not_active, SmState::standby}};
  for (const Transition& transition : kTransitions) {
    if (transition.modifier != modifier || transition.from != shown_.state) continue;
    if (modifier == kHandover && watch_ != nullptr && !watch_->may_take_over()) return false;
    enter(transition.to);
    return true;
  }
  return false;
}

/// Makes rivals of who asked us since the last time.
void Mastership::meet_senders() {
  for (const Address& sender : std::exchange(senders_, {})) {
    const auto met = std::ranges::find(rivals_, sender, &Rival::at);
    if (met == rivals_.end())
      rivals_.push_back({.at = sender, .name = {}, .active = true, .due = true});
    else if (!met->info)
      met->due = true;
  }
}

bool Mastership::meets(const Address& sender) const {
  return std::ranges::find(rivals_, sender, &Rival::at) != rivals_.end();
}

bool Mastership::is_overruled(const Rival& rival) const {
  return std::ranges::find(overruled_, rival.at) != overruled_.end();
}

std::string Mastership::name_of(const Rival& rival) const {
  if (!rival.name.empty()) return rival.name;
  const std::string guid = rival.info ? fmt::format("{} ", rival.info->guid) : std::string();
  if (const Route* route = std::get_if<Route>(&rival.at))
    return fmt::format("{}at route {}", guid, to_string(*route));
  return fmt::format("{}at LID {}", guid, std::get<Lid>(rival.at));
}

// Winning

Task<Result<void>> Mastership::look_at_own_port() {
  const auto node = co_await ask(exchange_, get_from(kOwnNode, Attribute::node_info));
  if (!node) co_return tl::unexpected(node.error());
  if (!node->good()) co_return fail(causes::kOwnPortFault, "our own port does not answer Get(NodeInfo)");
  const auto info = decode<NodeInfo>(node->data);
  shown_.guid = info.port_guid;
  own_number_ = info.type == fabric::NodeType::sw ? PortNum(0) : info.local_port;
  const auto port = co_await ask(exchange_, get_from(kOwnNode, Attribute::port_info, own_number_.value));
  if (!port) co_return tl::unexpected(port.error());
  if (!port->good()) co_return fail(causes::kOwnPortFault, "our own port does not answer Get(PortInfo)");
  own_ = decode<PortInfo>(port->data);
  co_return {};
}

/// Whether an SM is where our port was told that its SM is. The node is asked first: hosts without an SM may
/// leave Get(SMInfo) unanswered.
Task<Result<Mastership::KnownManager>> Mastership::ask_known_manager() {
  KnownManager known;
  const Lid lid = own_.master_sm_lid;
  if (lid == kUnassignedLid || lid == own_.lid) co_return known;
  const auto node = co_await ask(exchange_, get_from(lid, Attribute::node_info));
  if (!node) co_return tl::unexpected(node.error());
  known.reached = node->good();
  if (!known.reached) co_return known;
  const auto info = decode<NodeInfo>(node->data);
  const PortNum number = info.type == fabric::NodeType::sw ? PortNum(0) : info.local_port;
  const auto port = co_await ask(exchange_, get_from(lid, Attribute::port_info, number.value));
  if (!port) co_return tl::unexpected(port.error());
  known.reached = port->good();
  known.is_sm = known.reached && decode<PortInfo>(port->data).is_sm;
  co_return known;
}

/// Fails when there is a master, before our port shows an SM: a master may answer that with a handover.
Task<Result<void>> Mastership::refuse_manager_in_sight() {
  if (options_.takeover || options_.stays || shown_.state == SmState::master) co_return {};
  const auto known = co_await ask_known_manager();
  if (!known) co_return tl::unexpected(known.error());
  if (!known->is_sm && !own_.is_sm) co_return {};
  const auto live = co_await discover(exchange_, look_options_);
  if (!live) co_return tl::unexpected(live.error());
  co_return check_no_master(*live, options_);
}

Task<Result<LiveFabric>> Mastership::win(LookOptions how) {
  look_options_ = std::move(how);
  told_off_by_.reset();
  if (shown_.state != SmState::master) enter(SmState::discovering);
  if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
  const Lid named = own_.lid == own_.master_sm_lid ? kUnassignedLid : own_.master_sm_lid;
  if (auto free = co_await refuse_manager_in_sight(); !free) co_return tl::unexpected(free.error());
  exchange_.become_manager([this](Datagram& datagram) { return answer(datagram); });
  for (int looks = 0; looks < kMostLooks; ++looks) {
    auto live = co_await look();
    if (!live && gives_way()) co_return lose("another subnet manager asks, and may know more M_Keys");
    if (!live) co_return live;
    const auto worth = co_await settle(*live);
    if (!worth) co_return tl::unexpected(worth.error());
    if (*worth == Look::outdated) continue;
    if (auto told = co_await overrule_silent_rivals(); !told) co_return tl::unexpected(told.error());
    note_early_handover(*live, named);
    co_return live;
  }
  co_return fail(causes::kUnsettledManagers,
                 fmt::format("other subnet managers came and went {} times while the fabric was "
                             "looked at; nothing was written",
                             kMostLooks));
}

/// Who does not know which agent is behind which cable sees nothing while another one, which knows, asks
/// agents with their keys: no lease runs out.
bool Mastership::gives_way() const {
  return exchange_.keys().own().per_port && !senders_.empty() && !exchange_.stopping() && !exchange_.broken();
}

/// Discovers the fabric. Who is there, or was there since our port shows an SM, is among the rivals after it.
Task<Result<LiveFabric>> Mastership::look() {
  senders_.clear();
  rivals_.clear();
  other_gave_way_ = false;
  if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
  const auto known = co_await ask_known_manager();
  if (!known) co_return tl::unexpected(known.error());
  look_options_.is_master = shown_.state == SmState::master;
  auto live = co_await discover(exchange_, look_options_);
  if (!live) co_return live;
  const auto is_known = [&](const OtherSm& sm) { return live->info(sm.port).lid == own_.master_sm_lid; };
  unsure_ =
      (first_look_ && !known->reached) || (known->is_sm && std::ranges::none_of(live->other_sms, is_known));
  first_look_ = false;
  for (const OtherSm& sm : live->other_sms) {
    const bool own = sm.port == live->local;
    if (own && sm.answered && !heard_itself_)
      co_return fail(causes::kPortBusy, "another subnet manager answers on our port; nothing was written");
    if (own) continue;
    Rival rival{.at = live->routes[sm.port.index()], .name = describe(*live, sm), .active = sm.answered};
    if (sm.answered) rival.info = sm.info;
    if (is_overruled(rival)) rival.active = false, rival.info.reset();
    rivals_.push_back(std::move(rival));
  }
  std::erase_if(live->other_sms, [&](const OtherSm& sm) { return sm.port == live->local; });
  co_return live;
}

Task<Result<Mastership::Look>> Mastership::settle(const LiveFabric& live) {
  const auto is_obstacle = [&](const OtherSm& sm) {
    return is_master(live, sm) &&
           std::ranges::find(overruled_, Address(live.routes[sm.port.index()])) == overruled_.end();
  };
  if (auto free = check_no_master(live, options_); !free)
    co_return options_.stays ? lose(free.error().message) : tl::unexpected(free.error());
  if (std::ranges::any_of(live.other_sms, is_obstacle)) {
    if (auto taken = co_await take_over(live); !taken) co_return tl::unexpected(taken.error());
    co_return Look::outdated;
  }
  co_return co_await judge();
}

/// Waits until no other SM is coming up.
Task<Result<Mastership::Look>> Mastership::judge() {
  const auto is_coming_up = [](const Rival& rival) { return rival.is(SmState::discovering); };
  for (int polls = 0; polls < kRivalPolls; ++polls) {
    meet_senders();
    if (auto asked = co_await poll(); !asked) co_return tl::unexpected(asked.error());
    if (std::ranges::any_of(rivals_, [](const Rival& r) { return r.active && !r.info; }))
      co_return Look::outdated;
    if (std::ranges::any_of(rivals_, is_coming_up)) {
      Pause pause(exchange_.now() + kPollEvery);
      if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
      continue;
    }
    const PortInfo before = own_;
    if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
    if (!senders_.empty() || told_off_by_) continue;
    if (unsure_ || other_gave_way_ || own_.lid != before.lid || own_.master_sm_lid != before.master_sm_lid)
      co_return Look::outdated;
    enter(SmState::master);
    co_return Look::won;
  }
  co_return fail(causes::kUnsettledManagers,
                 fmt::format("another subnet manager is coming up and does not get anywhere: {}; "
                             "nothing was written",
                             name_of(*std::ranges::find_if(rivals_, is_coming_up))));
}

/// A master does not keep hosts waiting for an SM that was killed: one that wakes up asks us.
SmpRequest Mastership::question_for(const Rival& rival) const {
  SmpRequest request = get_from(rival.at, Attribute::sm_info);
  if (shown_.state == SmState::master) request.patience = Patience::brief;
  return request;
}

/// Asks who is due. Fails when one of them is master, or will be.
Task<Result<void>> Mastership::poll() {
  std::vector<SmpRequest> questions;
  std::vector<Rival*> asked;
  for (Rival& rival : rivals_) {
    if (!std::exchange(rival.due, false)) continue;
    asked.push_back(&rival);
    questions.push_back(question_for(rival));
  }
  const auto answers = co_await ask(exchange_, std::move(questions));
  if (!answers) co_return tl::unexpected(answers.error());
  for (std::size_t r = 0; r < asked.size(); ++r) asked[r]->info = sm_info_in((*answers)[r]);
  if (told_off_by_) co_return lose(fmt::format("subnet manager {} is master", told_off_by_->guid));
  for (Rival& rival : rivals_) {
    if (is_overruled(rival)) rival.active = false, rival.info.reset();
    if (rival.is(SmState::master)) co_return lose(fmt::format("subnet manager {} is master", name_of(rival)));
    if (!rival.is(SmState::discovering)) continue;
    if (shown_.state == SmState::discovering && outranks(*rival.info, shown_))
      co_return lose(fmt::format("subnet manager {} comes up too and has the higher rank", name_of(rival)));
    rival.due = true;
  }
  co_return {};
}

/// From now on our port shows that we stand by.
tl::unexpected<Error> Mastership::lose(const std::string& why) {
  const bool was_master = shown_.state == SmState::master;
  owes_handover_ = owes_handover_ || was_master;
  enter(SmState::standby);
  return fail(causes::kMastershipLost,
              fmt::format("the mastership was lost: {}{}", why, was_master ? "" : "; nothing was written"));
}

/// Waits for the masters to hand over, while our port shows a master of the highest priority. One that does
/// not is overwritten: the operator asked for it.
Task<Result<void>> Mastership::take_over(const LiveFabric& live) {
  enter(SmState::master);
  shown_.priority = kHighestPriority;
  std::vector<OtherSm> masters;
  for (const OtherSm& sm : live.other_sms)
    if (is_master(live, sm)) masters.push_back(sm);
  const auto says_master = [](const OtherSm& sm) { return sm.answered && sm.info.state == SmState::master; };
  for (int polls = 0; polls <= kHandoverPolls && std::ranges::any_of(masters, says_master); ++polls) {
    Pause pause(exchange_.now() + kPollEvery);
    if (auto ran = co_await exchange_.run(pause); !ran) co_return ran;
    std::vector<SmpRequest> questions;
    for (const OtherSm& sm : masters)
      questions.push_back(get_from(live.routes[sm.port.index()], Attribute::sm_info));
    const auto answers = co_await ask(exchange_, std::move(questions));
    if (!answers) co_return tl::unexpected(answers.error());
    for (std::size_t m = 0; m < masters.size(); ++m) masters[m].read((*answers)[m]);
  }
  for (const OtherSm& sm : masters) {
    const bool stays = says_master(sm);
    remarks_.push_back(fmt::format("subnet manager {} {}", describe(live, sm),
                                   stays ? "did not hand over and was overwritten" : "handed over"));
    if (!stays && sm.answered) continue;
    if (told_off_by_) co_return lose(fmt::format("subnet manager {} is master", told_off_by_->guid));
    if (auto told = co_await overrule(live.routes[sm.port.index()]); !told) co_return told;
  }
  co_return {};
}

/// A master may hand over to a port that shows an SM before it is asked to: OpenSM sweeps when the capability
/// mask of a port changes, and hands over to an SM of higher rank that it finds.
void Mastership::note_early_handover(const LiveFabric& live, Lid named) {
  if (!options_.takeover || named == kUnassignedLid || !remarks_.empty()) return;
  for (const OtherSm& sm : live.other_sms)
    if (sm.answered && live.info(sm.port).lid == named)
      remarks_.push_back(fmt::format("subnet manager {} handed over", describe(live, sm)));
}

/// Set(SMInfo) with what our port shows. Who is silent does not hold up an update.
SmpRequest Mastership::tell(Address to, std::uint32_t modifier) const {
  return {.to = to,
          .method = Method::set,
          .attribute = Attribute::sm_info,
          .modifier = modifier,
          .data = encode(shown_),
          .patience = Patience::brief};
}

/// Tells an SM that we are master. If it wakes up later, it finds that before it goes on.
Task<Result<void>> Mastership::overrule(Address at) {
  overruled_.push_back(at);
  const auto told = co_await ask(exchange_, tell(at, kStandby));
  if (!told) co_return tl::unexpected(told.error());
  co_return {};
}

Task<Result<void>> Mastership::overrule_silent_rivals() {
  for (const Rival& rival : rivals_)
    if (!rival.info && !is_overruled(rival))
      if (auto told = co_await overrule(rival.at); !told) co_return told;
  co_return {};
}

// Giving it away

Task<Result<bool>> Mastership::hand_over(std::function<bool(Guid)> may_have) {
  const auto higher = std::ranges::find_if(rivals_, [&](const Rival& rival) {
    return rival.is(SmState::standby) && rival.info->key == shown_.key && options_.allows(rival.info->guid) &&
           outranks(*rival.info, shown_) && may_have(rival.info->guid);
  });
  if (higher == rivals_.end()) co_return false;
  const auto taken = co_await ask(exchange_, tell(higher->at, kHandover));
  if (!taken) co_return tl::unexpected(taken.error());
  if (!taken->good()) co_return false;
  enter(SmState::standby);
  higher->info->state = SmState::master;
  co_return true;
}

/// The master that we lost to, or the one our port names.
std::optional<Address> Mastership::master_to_poll() const {
  const auto master = std::ranges::find_if(rivals_, [](const Rival& r) { return r.is(SmState::master); });
  if (master != rivals_.end()) return master->at;
  const auto higher =
      std::ranges::find_if(rivals_, [](const Rival& r) { return r.is(SmState::discovering); });
  if (higher != rivals_.end()) return higher->at;
  if (told_off_by_ && !senders_.empty()) return senders_.back();
  return std::nullopt;
}

void Mastership::follow(const ManagerOptions& options) {
  options_.sm_priority = shown_.priority = options.sm_priority;
  options_.master_sm_priority = options.master_sm_priority;
  enter(shown_.state);
  options_.poll_every = options.poll_every;
  options_.missed_polls = options.missed_polls;
  options_.allowed_sms = options.allowed_sms;
}

/// Where no master is known, one of those may be it who did not answer or who asked us meanwhile.
Task<Result<void>> Mastership::find_master() {
  meet_senders();
  if (master_to_poll()) co_return {};
  for (Rival& rival : rivals_) rival.due = !rival.info;
  const auto asked = co_await poll();
  if (exchange_.broken() || exchange_.stopping()) co_return asked;
  co_return {};
}

/// Tells which SM our port names now. What our own port does not answer is asked for again.
Task<Result<void>> Mastership::name_master(StandbyWatch& watch) {
  const auto answer = co_await ask(exchange_, get_from(kOwnNode, Attribute::port_info, own_number_.value));
  if (!answer) co_return tl::unexpected(answer.error());
  if (!answer->good()) co_return {};
  const auto own = decode<PortInfo>(answer->data);
  watch.on_master(own.master_sm_lid == own.lid ? kUnassignedLid : own.master_sm_lid, own.master_sm_sl);
  co_return {};
}

/// The SM at that address says that it is master. It has the time between two polls to do so, and less
/// `in_a_hurry`: if that is too short, win() finds it again.
Task<Result<bool>> Mastership::is_there(std::optional<Address> master, bool in_a_hurry) {
  if (!master) co_return false;
  const TimePoint until =
      exchange_.now() + (in_a_hurry ? kHurry : std::max<Milliseconds>(kHurry, options_.poll_every));
  Inquiry inquiry(std::vector<SmpRequest>(1, get_from(*master, Attribute::sm_info)),
                  [&] { return exchange_.now() >= until; });
  if (auto ran = co_await exchange_.run(inquiry); !ran) co_return tl::unexpected(ran.error());
  const auto info = sm_info_in(inquiry.answers().front());
  co_return info && info->state == SmState::master;
}

/// A cable that was pulled and plugged may leave two masters. The one that gives way tells the other, which
/// does not know that anybody wrote beside it (sm-sa 5: Set(SMInfo, HANDOVER) to a master).
Task<Result<void>> Mastership::give_way(Address master) {
  SmInfo as_master = shown_;
  as_master.state = SmState::master;
  SmpRequest handover = tell(master, kHandover);
  handover.data = encode(as_master);
  const auto taken = co_await ask(exchange_, handover);
  if (!taken) co_return tl::unexpected(taken.error());
  if (taken->good()) owes_handover_ = false;
  co_return {};
}

Task<Result<void>> Mastership::stand_by(StandbyWatch& watch) {
  const Watching watching(watch_, watch);
  if (std::exchange(begins_inactive_, false)) {
    if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
    exchange_.become_manager([this](Datagram& datagram) { return answer(datagram); });
  }
  if (auto found = co_await find_master(); !found) co_return found;
  const std::optional<Address> master = master_to_poll();
  TimePoint poll = exchange_.now() + (owes_handover_ ? kPollEvery : options_.poll_every);
  for (unsigned missed = 0; missed < options_.missed_polls || shown_.state == SmState::not_active;) {
    if (auto named = co_await name_master(watch); !named) co_return named;
    Pause pause(std::min(poll, exchange_.now() + kNameEvery), [&] {
      return shown_.state == SmState::discovering  // a master handed over, or told us to look again
             || watch.is_silent();
    });
    if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
    if (shown_.state == SmState::discovering) co_return {};
    const bool silent = watch.is_silent();
    if (!silent && exchange_.now() < poll) continue;
    poll = exchange_.now() + options_.poll_every;
    const auto there = co_await is_there(master, silent);
    if (!there) co_return tl::unexpected(there.error());
    if (*there) watch.on_alive();
    if (*there && owes_handover_) {
      if (auto given = co_await give_way(*master); !given) co_return given;
      if (owes_handover_) poll = exchange_.now() + kNameEvery;
    }
    missed = *there ? 0 : silent ? options_.missed_polls : missed + 1;
  }
  for (Rival& rival : rivals_)
    if (master && rival.at == *master) rival.info.reset();
  co_return {};
}

// Staying master

void Mastership::follow_routes(const LiveFabric& live) {
  std::erase_if(rivals_, [&](Rival& rival) { return !follow_route(rival, live); });
}

/// False: it is not there any more.
bool Mastership::follow_route(Rival& rival, const LiveFabric& live) const {
  if (!rival.info) return may_lead_to_port(live, rival.at);
  const auto sm = std::ranges::find(live.other_sms, rival.info->guid, &OtherSm::guid);
  if (sm == live.other_sms.end()) return false;
  rival.at = live.routes[sm->port.index()];
  return true;
}

void Mastership::doubt_silence() {
  for (Rival& rival : rivals_) rival.due = true;
}

std::vector<SmInfo> Mastership::not_allowed() const {
  std::vector<SmInfo> found;
  for (const Rival& rival : rivals_)
    if (rival.info && !options_.allows(rival.info->guid)) found.push_back(*rival.info);
  return found;
}

std::vector<SmpRequest> Mastership::questions() {
  meet_senders();
  std::vector<SmpRequest> questions{get_from(kOwnNode, Attribute::port_info, own_number_.value)};
  for (const Rival& rival : rivals_)
    if (rival.is_asked()) questions.push_back(question_for(rival));
  return questions;
}

Result<bool> Mastership::confirm(std::span<const SmpAnswer> answers) {
  if (told_off_by_) return lose(fmt::format("subnet manager {} is master", told_off_by_->guid));
  if (!answers[0].good()) return lose("our own port does not answer Get(PortInfo)");
  const auto own = decode<PortInfo>(answers[0].data);
  if (own.lid != own_.lid || own.master_sm_lid != own_.master_sm_lid)
    return lose(fmt::format("our port has LID {} and names LID {} as its subnet manager, not {} and {}",
                            own.lid, own.master_sm_lid, own_.lid, own_.master_sm_lid));
  if (other_gave_way_)
    return fail(causes::kMastershipLost, "another subnet manager was master, too, and may have written");
  auto answer = answers.begin() + 1;
  for (Rival& rival : rivals_) {
    if (!rival.is_asked()) continue;
    rival.info = sm_info_in(*answer++);
    rival.due = false;
    if (rival.is(SmState::master) && !is_overruled(rival))
      return lose(fmt::format("subnet manager {} is master", name_of(rival)));
  }
  // An SM that asked us before may ask again; a new one has to be asked back.
  return std::ranges::all_of(senders_, [&](const Address& at) { return meets(at); });
}

}  // namespace rch::hw
