#include "hw/partial_walk.h"

#include <algorithm>
#include <utility>

#include "hw/inquiry.h"
#include "hw/switch_poll.h"

namespace rch::hw {
namespace {

/// Looks at one part after the other, nearest first: a fabric that goes on changing is walked whole.
constexpr int kMostPartialLooks = 16;

/// Port GUIDs of other subnet managers.
std::vector<Guid> other_managers(const Sweep& sweep) {
  std::vector<Guid> guids;
  const SweepPort* own = &sweep.nodes()[0].ports[sweep.local_port().index()];
  for (const SweepNode& node : sweep.nodes()) {
    if (node.managers == 0) continue;
    for (const SweepPort& port : node.ports)
      if (port.info.is_sm && &port != own) guids.push_back(port.guid);
  }
  std::ranges::sort(guids);
  return guids;
}

SmpRequest switch_info_request(const Sweep& sweep, SweepNodeId id) {
  return {
      .to = sweep.nodes()[id.index()].route, .attribute = Attribute::switch_info, .node = NodeKey(id.value)};
}

std::vector<SweepNodeId> kept_switches(const Sweep& sweep, const View& view) {
  std::vector<SweepNodeId> ids;
  for (std::uint32_t n = 0; n < sweep.nodes().size(); ++n)
    if (sweep.nodes()[n].is_switch() && view.kept[n]) ids.emplace_back(n);
  return ids;
}

std::vector<SweepNodeId> switches_of(const LiveFabric& live) {
  std::vector<SweepNodeId> ids;
  for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s)
    ids.push_back(*live.sweep->find(live.fabric.node(SwitchId(s)).guid));
  return ids;
}

/// Takes those that are fewest hops away. The route to another one may lead over a cable that is gone.
std::vector<SweepNodeId> take_nearest(const Sweep& sweep, std::vector<Guid>& guids) {
  std::vector<SweepNodeId> nearest;
  const auto hops = [&](SweepNodeId id) { return sweep.nodes()[id.index()].route.hops; };
  for (const Guid guid : guids) {
    const auto id = sweep.find(guid);
    if (!id) continue;
    if (!nearest.empty() && hops(*id) < hops(nearest.front())) nearest.clear();
    if (nearest.empty() || hops(*id) == hops(nearest.front())) nearest.push_back(*id);
  }
  std::erase_if(guids, [&](Guid guid) {
    const auto id = sweep.find(guid);
    return !id || std::ranges::find(nearest, *id) != nearest.end();
  });
  return nearest;
}

/// Adds what is not there yet.
void add(std::vector<Guid>& guids, const std::vector<Guid>& more) {
  for (const Guid guid : more)
    if (std::ranges::find(guids, guid) == guids.end()) guids.push_back(guid);
}

/// Asks all of them what has changed: the GUIDs of those to look at.
Task<Result<std::vector<Guid>>> ask_switches(Exchange& exchange, const Sweep& sweep,
                                             std::span<const SweepNodeId> ids, const Sweep::Cables& silent,
                                             const std::function<bool()>& wakes) {
  std::vector<SwitchPoll::Question> questions;
  std::vector<Guid> asked;
  for (const SweepNodeId id : ids) {
    questions.push_back({switch_info_request(sweep, id), sweep.nodes()[id.index()].switch_info.linear_top});
    asked.push_back(sweep.nodes()[id.index()].info.node_guid);
  }
  for (const auto& [guid, number] : silent) {
    const SweepNode& node = sweep.nodes()[sweep.find(guid)->index()];
    const SmpRequest request{
        .to = node.route.through(number), .attribute = Attribute::node_info, .patience = Patience::brief};
    questions.push_back({.request = request, .linear_top = {}, .of_silent_cable = true});
    asked.push_back(guid);
  }
  SwitchPoll poll(std::move(questions), wakes);
  if (auto ran = co_await exchange.run(poll); !ran) co_return tl::unexpected(ran.error());
  std::vector<Guid> changed;
  for (const std::size_t i : poll.changed()) add(changed, {asked[i]});
  co_return changed;
}

/// Clears PortStateChange of the switches that show it in their answers.
Task<Result<void>> clear_changes(Exchange& exchange, const Sweep& sweep, std::span<const SweepNodeId> ids,
                                 std::span<const SmpAnswer> answers) {
  std::vector<SmpRequest> clearing;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!answers[i].good() || !decode<SwitchInfo>(answers[i].data).port_state_change) continue;
    clearing.push_back(switch_info_request(sweep, ids[i]));
    clearing.back().method = Method::set;
    clearing.back().data = answers[i].data;
  }
  const auto cleared = co_await ask(exchange, std::move(clearing));
  if (!cleared) co_return tl::unexpected(cleared.error());
  co_return {};
}

bool is_faulty(const Sweep& sweep, SweepNodeId id) {
  return std::ranges::any_of(sweep.problems(), [id](const SweepProblem& problem) {
    return problem.node == id && problem.scope == SweepProblem::Scope::node && !problem.yields;
  });
}

/// Takes from `guids` what is in `done`.
void subtract(std::vector<Guid>& guids, const std::vector<Guid>& done) {
  std::erase_if(guids, [&](Guid guid) { return std::ranges::find(done, guid) != done.end(); });
}

/// What the view of the fabric depends on, at some switches and behind their cables.
struct Surroundings {
  std::size_t nodes = 0;
  bool has_problems = false;
  std::vector<std::optional<std::pair<SweepNodeId, PortNum>>> peers{};
  std::vector<Guid> managers{};  ///< ports that show one

  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

Surroundings surroundings(const Sweep& sweep, std::span<const SweepNodeId> switches) {
  Surroundings seen{sweep.nodes().size(), !sweep.found_problems().empty()};
  for (const SweepNodeId id : switches)
    for (const SweepPort& port : sweep.nodes()[id.index()].ports) {
      seen.peers.push_back(port.peer);
      if (port.info.is_sm) seen.managers.push_back(port.guid);
      if (!port.peer) continue;
      const SweepPort& far = sweep.nodes()[port.peer->first.index()].ports[port.peer->second.index()];
      if (far.info.is_sm) seen.managers.push_back(far.guid);
    }
  return seen;
}

/// Two rounds over what changed: only when the first one found no other subnet
/// manager may PortStateChange be cleared, for it tells that manager of the same changes. Only what is seen
/// after that counts.
class PartialWalk {
 public:
  PartialWalk(Exchange& exchange, Sweep& sweep, bool strict)
      : exchange_(exchange), sweep_(sweep), strict_(strict), managers_(other_managers(sweep)) {}

  /// None: the walk cannot come to an end.
  Task<Result<std::optional<View>>> run(std::vector<Guid> changed) {
    sweep_.forget_looks();
    for (int looks = 0; looks < kMostPartialLooks; ++looks) {
      if (!view_ && !take_view()) break;
      if (const auto nearest = take_nearest(sweep_, changed); !nearest.empty()) {
        const auto looked = co_await look_at(nearest);
        if (!looked) co_return tl::unexpected(looked.error());
        if (!*looked) break;
        continue;
      }
      const std::vector<SweepNodeId> switches = kept_switches(sweep_, *view_);
      auto told = co_await ask_switches(exchange_, sweep_, switches, {}, {});
      if (!told) co_return tl::unexpected(told.error());
      changed = std::move(*told);
      if (!clears_) subtract(changed, looked_at_);
      add(changed, std::exchange(deferred_, {}));
      if (!changed.empty()) continue;
      if (clears_) co_return std::move(view_);
      clears_ = true;
      changed = looked_at_;
    }
    co_return std::optional<View>();
  }

 private:
  /// The view of what was seen so far. False: only a walk over all of the fabric can tell.
  bool take_view() {
    auto view = view_of(sweep_, strict_);
    if (!view || !view->reaches_all) {
      if (!sweep_.drop_unreachable()) return false;
      view = view_of(sweep_, strict_);
    }
    if (!view || sweep_.contradicts_itself() || managers_ != other_managers(sweep_)) return false;
    sweep_.set_routes(view->routes);
    view_ = std::move(*view);
    return true;
  }

  /// Most looks only confirm what was seen: then the view stays, as it takes time for all of the fabric.
  /// False: a switch answers partly, or not at all for the second time. Cables are known from switches that
  /// answer, so what hangs on it cannot be told from here.
  Task<Result<bool>> look_at(std::vector<SweepNodeId> ids) {
    std::vector<SmpRequest> questions;
    for (const SweepNodeId id : ids) questions.push_back(switch_info_request(sweep_, id));
    const auto answers = co_await ask(exchange_, std::move(questions));
    if (!answers) co_return tl::unexpected(answers.error());
    if (clears_)
      if (auto cleared = co_await clear_changes(exchange_, sweep_, ids, *answers); !cleared)
        co_return tl::unexpected(cleared.error());
    std::vector<SweepNodeId> answering;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Guid guid = sweep_.nodes()[ids[i].index()].info.node_guid;
      const bool answers_now = (*answers)[i].good();
      if (!answers_now && !defer(guid)) co_return false;
      if (!answers_now) continue;
      answering.push_back(ids[i]);
      looked_at_.push_back(guid);
    }
    const Surroundings before = surroundings(sweep_, answering);
    sweep_.look_again(answering);
    if (auto ran = co_await exchange_.run(sweep_); !ran) co_return tl::unexpected(ran.error());
    if (before.has_problems || before != surroundings(sweep_, answering)) view_.reset();
    co_return std::ranges::none_of(answering, [&](SweepNodeId id) { return is_faulty(sweep_, id); });
  }

  /// A switch that does not answer may do so over another route: its turn comes again, once.
  bool defer(Guid guid) {
    if (std::ranges::find(silent_, guid) != silent_.end()) return false;
    silent_.push_back(guid);
    deferred_.push_back(guid);
    return true;
  }

  Exchange& exchange_;
  Sweep& sweep_;
  bool strict_;
  std::optional<View> view_;  ///< none: what was seen since differs
  bool clears_ = false;
  std::vector<Guid> managers_;  ///< others, as they were
  std::vector<Guid> looked_at_;
  std::vector<Guid> silent_;    ///< once
  std::vector<Guid> deferred_;  ///< to be looked at once all others were
};

}  // namespace

Task<Result<std::optional<View>>> walk_partly(Exchange& exchange, Sweep& sweep, std::vector<Guid> changed,
                                              bool strict) {
  PartialWalk walk(exchange, sweep, strict);
  auto run = walk.run(std::move(changed));
  co_return co_await run;
}
Task<Result<std::vector<Guid>>> ask_switches(Exchange& exchange, const LiveFabric& live,
                                             const std::function<bool()>& wakes) {
  const std::vector<SweepNodeId> switches = switches_of(live);
  co_return co_await ask_switches(exchange, *live.sweep, switches, live.sweep->silent_cables(), wakes);
}

}  // namespace rch::hw
