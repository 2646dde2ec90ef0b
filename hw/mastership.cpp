#include "hw/mastership.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/causes.h"
#include "hw/discovery.h"
#include "hw/inquiry.h"
#include "hw/sm_info_requests.h"

// What others ask, and what is asked before each step that writes. How it is won: mastership_win.cpp. How it
// is given away, and what comes then: mastership_standby.cpp.

namespace rch::hw {
namespace {

/// Senders of Get(SMInfo) that are asked back. Who sends from many addresses must not make us ask them all.
constexpr std::size_t kMostSenders = 64;

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

}  // namespace

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
  const bool is_new = shown_.state != state;
  shown_.state = state;
  if (state != SmState::master) {
    exchange_.allow_sets_until(TimePoint::min());
    exchange_.drop_withheld_sets(true);
    overruled_guids_.clear();
  } else if (is_new) {
    exchange_.allow_sets_until(TimePoint::min());  // confirm() allows them
  }
  if (state == SmState::master) {
    shown_.priority = std::max({shown_.priority, options_.sm_priority, options_.master_sm_priority});
    owes_handover_ = tells_missed_ = false;
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
  const bool is_trusted = sender.key == options_.sm_key && options_.allows(sender.guid);
  if (modifier == kHandover && shown_.state == SmState::master) {
    if (is_trusted) note_other_master();
    return true;
  }
  if (options_.stays && modifier == kAcknowledge) return sender.state == SmState::standby;
  if (sender.state != SmState::master || !is_trusted) return false;
  if (modifier == kStandby && shown_.state != SmState::not_active) return stands_by_for(sender);
  return options_.stays && accepts_state(modifier);
}

/// A master tells us to stand by: we did not answer it for a while. Where neither of two masters answered the
/// other one, the higher rank stays.
bool Mastership::stands_by_for(const SmInfo& sender) {
  const bool is_mutual = options_.stays && shown_.state == SmState::master &&
                         std::ranges::find(overruled_guids_, sender.guid) != overruled_guids_.end();
  if (is_mutual && !outranks_us(sender)) return true;
  told_off_by_ = sender;
  if (options_.stays && shown_.state == SmState::master)
    static_cast<void>(lose(fmt::format("subnet manager {} is master", sender.guid)));
  return true;
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
      rivals_.push_back({.at = sender, .name = {}, .guid = {}, .lid = {}, .active = true, .due = true});
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

bool Mastership::was_asked_anew() const {
  return std::ranges::any_of(senders_, [&](const Address& at) { return !meets(at); });
}

std::string Mastership::objection() const {
  if (shown_.state != SmState::master) return why_lost_;
  return other_was_master_ ? "another subnet manager was master, too, and may have written" : "";
}

bool Mastership::outranks_us(const SmInfo& other) const { return outranks(other, shown_); }

/// What is on the way to the wire was made without a knowledge of what that one wrote.
void Mastership::note_other_master() {
  other_was_master_ = true;
  exchange_.allow_sets_until(TimePoint::min());
}

std::vector<SmpRequest> Mastership::questions() {
  meet_senders();
  asked_at_ = exchange_.now();
  std::vector<SmpRequest> questions{get_from(kOwnNode, Attribute::port_info, own_number_.value)};
  for (const Rival& rival : rivals_)
    if (rival.is_asked()) questions.push_back(question_for(rival));
  return questions;
}

Result<bool> Mastership::confirm(std::span<const SmpRequest> questions, std::span<const SmpAnswer> answers) {
  if (shown_.state != SmState::master) return fail(causes::kMastershipLost, why_lost_);
  if (told_off_by_) return lose(fmt::format("subnet manager {} is master", told_off_by_->guid));
  if (!answers[0].good()) return lose("our own port does not answer Get(PortInfo)");
  const auto own = decode<PortInfo>(answers[0].data);
  const auto is_as_expected = [&](Lid found, Lid before) {
    return found == before || (next_lid_ != kUnassignedLid && found == next_lid_);
  };
  if (!is_as_expected(own.lid, own_.lid) || !is_as_expected(own.master_sm_lid, own_.master_sm_lid))
    return lose(fmt::format("our port has LID {} and names LID {} as its subnet manager, not {} and {}",
                            own.lid, own.master_sm_lid, own_.lid, own_.master_sm_lid));
  for (std::size_t i = 1; i < questions.size(); ++i) {
    const auto met = std::ranges::find(rivals_, questions[i].to, &Rival::at);
    if (met == rivals_.end()) continue;
    Rival& rival = *met;
    rival.info = sm_info_in(answers[i]);
    rival.due = false;
    note_awake(rival);
    if (!rival.is(SmState::master) || is_overruled(rival)) continue;
    if (!options_.stays || outranks_us(*rival.info))
      return lose(fmt::format("subnet manager {} is master", name_of(rival)));
    note_other_master();
  }
  if (other_was_master_) {
    exchange_.drop_withheld_sets(false);
    return fail(causes::kMastershipLost, objection());
  }
  // An SM that asked us before may ask again; a new one has to be asked back.
  const bool asks_back = was_asked_anew() || std::ranges::any_of(rivals_, &Rival::due);
  // Who asked, and does not answer, is asked back when it asks again, but not in this round: where only one
  // direction is routed, it asks while we wait for its answer, for ever.
  std::erase_if(rivals_, [](const Rival& rival) { return !rival.is_asked() && rival.name.empty(); });
  if (asks_back) return false;
  // Answers that took long are of use for a moment, too: else nothing would ever be written.
  constexpr Milliseconds kMoment{100};
  exchange_.allow_sets_until(std::max(asked_at_ + kSetsFor, exchange_.now() + kMoment));
  return true;
}

Task<Result<void>> Mastership::meet(const std::function<bool()>& wakes) {
  for (;;) {
    const std::vector<SmpRequest> asked = questions();
    Inquiry inquiry(asked, wakes);
    if (auto ran = co_await exchange_.run(inquiry); !ran) co_return tl::unexpected(ran.error());
    if (wakes()) co_return {};
    const auto confirmed = confirm(asked, inquiry.answers());
    if (!confirmed) co_return tl::unexpected(confirmed.error());
    if (*confirmed) co_return {};
  }
}

// Writing

/// Asks as Commit does, whenever Sets are withheld. It has no end: Sets of others wait for it, also while the
/// operator wants to stop.
class Mastership::Renewal : public Machine {
 public:
  Renewal(const Exchange& exchange, Mastership& mastership) : exchange_(exchange), mastership_(mastership) {}

  std::optional<SmpRequest> next_request(TimePoint) override {
    if (questions_.empty()) {
      if (!exchange_.withholds_sets() || mastership_.state() != SmState::master) return std::nullopt;
      questions_ = mastership_.questions();
      // Others were asked before. A cable that cuts one of them off must not hold up what is to be written.
      for (SmpRequest& question : questions_) question.patience = Patience::again;
      answers_.assign(questions_.size(), {});
      progress_ = Progress(questions_.size());
    }
    const auto next = progress_.take();
    if (!next) return std::nullopt;
    SmpRequest request = questions_[*next];
    request.tag = {.item = *next};
    return request;
  }
  void on_answer(RequestTag tag, const SmpAnswer& answer) override {
    answers_[tag.item] = answer;
    progress_.on_answer();
    if (!progress_.complete()) return;
    const std::vector<SmpRequest> asked = std::exchange(questions_, {});
    static_cast<void>(mastership_.confirm(asked, answers_));
  }
  bool finished() const override { return false; }
  bool stop() override { return false; }

 private:
  const Exchange& exchange_;
  Mastership& mastership_;
  std::vector<SmpRequest> questions_;
  std::vector<SmpAnswer> answers_;
  Progress progress_{0};
};

Task<Result<void>> Mastership::keep_sets_allowed() {
  Renewal renewal(exchange_, *this);
  co_return co_await exchange_.run(renewal);
}

/// From now on our port shows an SM, and nothing is written but by the master.
void Mastership::begin_managing() {
  exchange_.become_manager([this](Datagram& datagram) { return answer(datagram); });
  if (renewal_) return;
  enter(shown_.state);
  renewal_.emplace(keep_sets_allowed());
  renewal_->start();
}

}  // namespace rch::hw
