// How a subnet manager becomes the master (IBA 14.4).

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "hw/causes.h"
#include "hw/discovery.h"
#include "hw/inquiry.h"
#include "hw/master_in_sight.h"
#include "hw/mastership.h"
#include "hw/sm_info_requests.h"

namespace rch::hw {
namespace {

constexpr std::uint8_t kHighestPriority = 15;
/// A master has 3 s to hand over; an SM that comes up has a minute to get somewhere.
constexpr int kHandoverPolls = 60, kRivalPolls = 1200;
/// Each look but the last found that another SM had been there meanwhile.
constexpr int kMostLooks = 8;

}  // namespace

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
  const Lid lid = own_.master_sm_lid;
  if (lid == kUnassignedLid || lid == own_.lid) co_return KnownManager{};
  auto asking = ask_manager(lid, lid == given_up_ ? Patience::again : Patience::loss);
  co_return co_await asking;
}

Task<Result<Mastership::KnownManager>> Mastership::ask_manager(Address at, Patience patience) {
  KnownManager known;
  SmpRequest question = get_from(at, Attribute::node_info);
  question.patience = patience;
  const auto node = co_await ask(exchange_, question);
  if (!node) co_return tl::unexpected(node.error());
  known.reached = node->good();
  if (!known.reached) co_return known;
  const auto info = decode<NodeInfo>(node->data);
  const PortNum number = info.type == fabric::NodeType::sw ? PortNum(0) : info.local_port;
  question.attribute = Attribute::port_info;
  question.modifier = number.value;
  const auto port = co_await ask(exchange_, question);
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
  if (shown_.state != SmState::master && !is_blind_) enter(SmState::discovering);
  if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
  const Lid named = own_.lid == own_.master_sm_lid ? kUnassignedLid : own_.master_sm_lid;
  if (auto free = co_await refuse_manager_in_sight(); !free) co_return tl::unexpected(free.error());
  begin_managing();
  for (int looks = 0; looks < kMostLooks; ++looks) {
    auto live = co_await look();
    if (!live && gives_way()) co_return give_way();
    if (!live) co_return live;
    if (std::exchange(is_blind_, false)) enter(SmState::discovering);
    const auto worth = co_await settle(*live);
    if (!worth) co_return tl::unexpected(worth.error());
    if (*worth == Look::outdated) continue;
    if (auto told = co_await overrule_silent_rivals(); !told) co_return tl::unexpected(told.error());
    note_early_handover(*live, named);
    co_return live;
  }
  // The subnet manager that our port names is not seen. It may know more M_Keys, and would find each time
  // that we come up too and have the higher rank.
  if (unsure_ && exchange_.keys().own().per_port) co_return give_way();
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

tl::unexpected<Error> Mastership::give_way() {
  is_blind_ = true;
  return lose("another subnet manager asks, and may know more M_Keys");
}

/// Discovers the fabric. Who is there, or was there since our port shows an SM, is among the rivals after it.
Task<Result<LiveFabric>> Mastership::look() {
  senders_.clear();
  rivals_.clear();
  other_was_master_ = false;
  next_lid_ = kUnassignedLid;
  if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
  const auto known = co_await ask_known_manager();
  if (!known) co_return tl::unexpected(known.error());
  look_options_.is_master = shown_.state == SmState::master;
  look_options_.given_up_sm = given_up_;
  auto live = co_await discover(exchange_, look_options_);
  if (!live) co_return live;
  const auto is_known = [&](const OtherSm& sm) { return live->info(sm.port).lid == own_.master_sm_lid; };
  unsure_ = (first_look_ && !known->reached && own_.master_sm_lid != given_up_) ||
            (known->is_sm && std::ranges::none_of(live->other_sms, is_known));
  first_look_ = false;
  for (const OtherSm& sm : live->other_sms) {
    const bool own = sm.port == live->local;
    if (own && sm.answered && !heard_itself_)
      co_return fail(causes::kPortBusy, "another subnet manager answers on our port; nothing was written");
    if (own) continue;
    Rival rival{.at = live->routes[sm.port.index()],
                .name = describe(*live, sm),
                .guid = sm.guid,
                .lid = live->info(sm.port).lid,
                .active = sm.answered};
    if (sm.answered) rival.info = sm.info;
    note_awake(rival);
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
  if (auto free = check_no_master(live, options_); !free) {
    if (!options_.stays) co_return tl::unexpected(free.error());
    if (shown_.state != SmState::master || !outranks_all_masters(live)) co_return lose(free.error().message);
    auto waiting = wait_for_handover(live);
    co_return co_await waiting;
  }
  if (std::ranges::any_of(live.other_sms, is_obstacle)) {
    if (auto taken = co_await take_over(live); !taken) co_return tl::unexpected(taken.error());
    co_return Look::outdated;
  }
  co_return co_await judge();
}

/// Every other master answers, and has a lower rank than we as master.
bool Mastership::outranks_all_masters(const LiveFabric& live) const {
  return std::ranges::all_of(live.other_sms, [&](const OtherSm& sm) {
    return !is_master(live, sm) || (sm.answered && !outranks_us(sm.info));
  });
}

/// When two masters meet, the lower rank hands over (InfiniBand vol. 1, 14.4), and the other one writes
/// nothing until then. Get(SMInfo) tells a master of ours that we are there.
Task<Result<Mastership::Look>> Mastership::wait_for_handover(const LiveFabric& live) {
  note_other_master();
  for (int polls = 0; polls < kHandoverPolls; ++polls) {
    for (Rival& rival : rivals_) rival.due = rival.is(SmState::master);
    if (auto asked = co_await poll(); !asked) co_return tl::unexpected(asked.error());
    if (std::ranges::none_of(rivals_, [](const Rival& rival) { return rival.is(SmState::master); }))
      co_return Look::outdated;
    Pause pause(exchange_.now() + kPollEvery);
    if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
  }
  co_return fail(causes::kUnsettledManagers,
                 fmt::format("{}, has the lower rank, and does not hand over to this one; nothing is written",
                             check_no_master(live, options_).error().message));
}

/// Waits until no other SM is coming up.
Task<Result<Mastership::Look>> Mastership::judge() {
  const auto is_coming_up = [](const Rival& rival) { return rival.is(SmState::discovering); };
  for (int polls = 0; polls < kRivalPolls; ++polls) {
    meet_senders();
    if (auto asked = co_await poll(); !asked) co_return tl::unexpected(asked.error());
    if (std::ranges::any_of(rivals_,
                            [](const Rival& r) { return (r.active && !r.info) || r.is(SmState::master); }))
      co_return Look::outdated;
    if (std::ranges::any_of(rivals_, is_coming_up)) {
      Pause pause(exchange_.now() + kPollEvery);
      if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
      continue;
    }
    const PortInfo before = own_;
    if (auto seen = co_await look_at_own_port(); !seen) co_return tl::unexpected(seen.error());
    if (!senders_.empty() || told_off_by_) continue;
    if (unsure_ || other_was_master_ || own_.lid != before.lid || own_.master_sm_lid != before.master_sm_lid)
      co_return Look::outdated;
    if (given_up_ != kUnassignedLid && exchange_.now() < given_up_at_ + kSetsFor) {
      Pause pause(given_up_at_ + kSetsFor);  // it may still write until then
      if (auto ran = co_await exchange_.run(pause); !ran) co_return tl::unexpected(ran.error());
      continue;
    }
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
  for (Rival& rival : rivals_)
    if (std::exchange(rival.due, false)) questions.push_back(question_for(rival));
  const auto answers = co_await ask(exchange_, questions);
  if (!answers) co_return tl::unexpected(answers.error());
  for (std::size_t q = 0; q < questions.size(); ++q)
    if (const auto met = std::ranges::find(rivals_, questions[q].to, &Rival::at); met != rivals_.end())
      met->info = sm_info_in((*answers)[q]);
  if (told_off_by_) co_return lose(fmt::format("subnet manager {} is master", told_off_by_->guid));
  for (Rival& rival : rivals_) {
    note_awake(rival);
    if (is_overruled(rival)) rival.active = false, rival.info.reset();
    const bool gives_way =
        options_.stays && shown_.state == SmState::master && rival.info && !outranks_us(*rival.info);
    if (rival.is(SmState::master) && !gives_way)
      co_return lose(fmt::format("subnet manager {} is master", name_of(rival)));
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
  why_lost_ = was_master       ? fmt::format("the mastership was lost: {}", why)
              : options_.stays ? why
                               : fmt::format("the mastership was lost: {}; nothing was written", why);
  enter(SmState::standby);
  return fail(causes::kMastershipLost, why_lost_);
}

/// One that answers is not gone, nor does it go on as if it had not been told that we are master: one of ours
/// stands by at once.
void Mastership::note_awake(const Rival& rival) {
  if (!rival.info || !options_.stays) return;
  if (rival.lid == given_up_) given_up_ = kUnassignedLid;
  if (rival.is(SmState::master)) missed_ = 0, hurried_ = false;
  std::erase(overruled_, rival.at);
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
    if (auto told = co_await overrule(live.routes[sm.port.index()], Patience::brief); !told) co_return told;
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
Task<Result<void>> Mastership::overrule(Address at, Patience patience) {
  overruled_.push_back(at);
  SmpRequest order = tell(at, kStandby);
  order.patience = patience;
  const auto told = co_await ask(exchange_, order);
  if (!told) co_return tl::unexpected(told.error());
  co_return {};
}

/// One that hangs has the order in its queue when it wakes up.
Task<Result<void>> Mastership::overrule_silent_rivals() {
  std::vector<Rival> silent;
  for (const Rival& rival : rivals_)
    if (!rival.info && !is_overruled(rival)) silent.push_back(rival);
  for (const Rival& rival : silent) {
    if (rival.guid.value != 0) overruled_guids_.push_back(rival.guid);
    const bool is_given_up = rival.lid != kUnassignedLid && rival.lid == given_up_;
    auto telling = overrule(rival.at, is_given_up ? Patience::again : Patience::brief);
    if (auto told = co_await telling; !told) co_return told;
    if (shown_.state != SmState::master) co_return fail(causes::kMastershipLost, why_lost_);
  }
  co_return {};
}

}  // namespace rch::hw
