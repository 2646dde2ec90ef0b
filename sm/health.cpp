#include "sm/health.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace rch::sm {
namespace {

using hw::SweepProblem;
using std::chrono::seconds;

/// What is left out of the plan, not only named.
bool is_out(HealthAction action) { return action >= HealthAction::isolate; }

/// A link counts at the port of the adapter, between switches at the port of the lower GUID.
Part end_of_link(const fabric::Fabric& fabric, PortId port) {
  const auto part = [&](PortId id) {
    return Part{fabric.node(fabric.port(id).node).guid, fabric.port(id).number};
  };
  const PortId peer = fabric.port(port).peer;
  const bool near_is_switch = fabric.is_switch(fabric.port(port).node);
  const bool far_is_switch = fabric.is_switch(fabric.port(peer).node);
  if (near_is_switch != far_is_switch) return part(near_is_switch ? peer : port);
  return std::min(part(port), part(peer));
}

/// The same port of the same node in another fabric.
std::optional<PortId> find(const fabric::Fabric& fabric, const fabric::Fabric& other, PortId port) {
  const auto node = fabric.find_node(other.node(other.port(port).node).guid);
  const PortNum number = other.port(port).number;
  if (!node || number.value > fabric.node(*node).num_ports) return std::nullopt;
  return fabric.port_id(*node, number);
}

/// The port that holds the LID, whether it takes part or not.
std::optional<std::pair<hw::SweepNodeId, PortNum>> owner_of(const hw::Sweep& sweep, Lid lid) {
  if (lid == kUnassignedLid) return std::nullopt;
  for (std::uint32_t n = 0; n < sweep.nodes().size(); ++n) {
    const hw::SweepNode& node = sweep.nodes()[n];
    const std::size_t ends = node.is_switch() ? 1 : node.ports.size();
    for (std::size_t p = 0; p < ends; ++p) {
      const hw::PortInfo& info = node.ports[p].info;
      if (node.ports[p].seen && lid.value >= info.lid.value && lid.value < info.lid.value + (1U << info.lmc))
        return std::pair{hw::SweepNodeId(n), PortNum(static_cast<std::uint8_t>(p))};
    }
  }
  return std::nullopt;
}

/// An adapter with one port is left out whole: none of it takes part then.
Part as_left_out(const hw::Sweep& sweep, Part part) {
  const auto id = sweep.find(part.node);
  if (!id) return part;
  const hw::SweepNode& node = sweep.nodes()[id->index()];
  return !node.is_switch() && node.info.num_ports == 1 ? Part{part.node} : part;
}

bool is_in_service(const fabric::Fabric& fabric, PortId port) {
  return !fabric.port(port).peer.is_none() && fabric.port(port).state == fabric::PortState::active;
}

}  // namespace

// Events

void Health::on_look(const hw::LiveFabric& live, const fabric::Fabric* installed, hw::TimePoint now) {
  ++sweep_;
  for (std::uint32_t n = 0; installed != nullptr && n < live.looked_at.size(); ++n)
    if (live.looked_at[n]) count_links(live, *installed, NodeId(n), now);
  count_problems(live, now);
  meet_manual_parts(live);
  note_spared(live);
}

void Health::on_silence(const hw::LiveFabric& live, hw::TimePoint now) {
  ++sweep_;
  count_problems(live, now);
}

/// A node that was not there came; once from one installation to the next. Links that were in service are not
/// any more: they went down since, and may be up again. So a switch all of whose links did has restarted.
void Health::count_links(const hw::LiveFabric& live, const fabric::Fabric& installed, NodeId node,
                         hw::TimePoint now) {
  const fabric::Node& seen = live.fabric.node(node);
  const Part whole{seen.guid};
  const auto was = installed.find_node(seen.guid);
  if (!was) {
    if (down_.emplace(whole).second)
      count(live, whole, rule_of(settings_, Condition::reboot, live.fabric.is_switch(node)), now);
    return;
  }
  std::size_t links = 0, down = 0;
  for (unsigned p = 1; p <= installed.node(*was).num_ports; ++p) {
    const PortId port = installed.port_id(*was, PortNum(static_cast<std::uint8_t>(p)));
    if (installed.port(port).peer.is_none()) continue;
    ++links;
    const auto now_at = find(live.fabric, installed, port);
    if (now_at && is_in_service(live.fabric, *now_at)) continue;
    ++down;
    count_link(live, installed, port, now);
  }
  if (installed.is_switch(*was) && links > 1 && down == links && down_.emplace(whole).second)
    count(live, whole, rule_of(settings_, Condition::reboot, true), now);
}

/// Once from one installation to the next.
void Health::count_link(const hw::LiveFabric& live, const fabric::Fabric& installed, PortId was,
                        hw::TimePoint now) {
  const Part part = end_of_link(installed, was);
  if (!down_.emplace(part).second) return;
  const auto node = installed.find_node(part.node);
  const bool of_switch = node && installed.is_switch(*node);
  for (const Condition condition : {Condition::bouncing, Condition::flapping})
    count(live, part, rule_of(settings_, condition, of_switch), now);
}

/// What the walk found. Of nodes that it did not ask the problems are those of an earlier one.
void Health::count_problems(const hw::LiveFabric& live, hw::TimePoint now) {
  for (const SweepProblem& problem : live.sweep->found_problems()) {
    const hw::SweepNode& node = live.sweep->nodes()[problem.node.index()];
    if (!node.looked_at || problem.yields || problem.symptom == SweepProblem::Symptom::other) continue;
    const bool is_silent = problem.symptom == SweepProblem::Symptom::silence;
    const Condition condition = is_silent ? Condition::unresponsive : Condition::illegal;
    const bool of_node = problem.scope == SweepProblem::Scope::node;
    const Part part{node.info.node_guid, of_node ? PortNum(0) : problem.port};
    // Who is behind a port is not known: most of them are adapters.
    count(live, part, rule_of(settings_, condition, of_node && node.is_switch()), now);
  }
}

void Health::on_late_faults(const hw::LiveFabric& live, std::span<const hw::LateFault> faults,
                            hw::TimePoint now) {
  for (const hw::LateFault& fault : faults) {
    const bool refused = fault.symptom == SweepProblem::Symptom::refusal;
    const auto node = live.fabric.find_node(fault.node);
    if (!node || (!refused && fault.symptom != SweepProblem::Symptom::silence)) continue;
    const Part part{fault.node, fault.scope == SweepProblem::Scope::node ? PortNum(0) : fault.port};
    count(live, part,
          rule_of(settings_, refused ? Condition::seterr : Condition::unresponsive,
                  live.fabric.is_switch(*node)),
          now);
  }
}

void Health::on_error_trap(const hw::LiveFabric& live, Lid from, std::optional<PortNum> number,
                           hw::TimePoint now) {
  const auto sender = owner_of(*live.sweep, from);
  if (!sender) return;
  const hw::SweepNode& node = live.sweep->nodes()[sender->first.index()];
  Part part{node.info.node_guid, sender->second};
  if (node.is_switch()) {
    if (!number || number->value == 0 || number->index() >= node.ports.size()) return;
    part.port = *number;
  }
  for (const Condition condition : {Condition::error_traps, Condition::noisy})
    count(live, part, rule_of(settings_, condition, node.is_switch()), now);
}

// Rules

void Health::count(const hw::LiveFabric& live, Part part, const HealthRule& rule, hw::TimePoint now) {
  if (rule.action == HealthAction::ignore || rule.count == 0) return;
  part = as_left_out(*live.sweep, part);
  Events& events = events_[{part, rule.condition}];
  if (rule.within.count() != 0) {
    events.times.push_back(now);
    while (events.times.size() > rule.count) events.times.pop_front();
  } else {
    if (events.sweeps.empty() || events.sweeps.back() != sweep_) events.sweeps.push_back(sweep_);
    while (events.sweeps.size() > rule.count) events.sweeps.pop_front();
  }
  events.last = now;
  const bool by_time = events.times.size() == rule.count && now - events.times.front() <= rule.within;
  const bool by_sweeps = events.sweeps.size() == rule.count && sweep_ - events.sweeps.front() < rule.window;
  const hw::TimePoint until =
      now +
      (rule.condition == Condition::error_traps ? kQuietOfErrorTraps : seconds{settings_.quarantine.period});
  if (const auto known = unhealthy_.find(part);
      known != unhealthy_.end() && known->second.condition == rule.condition)
    known->second.until = std::max(known->second.until, until);
  if (rule.within.count() != 0 ? !by_time : !by_sweeps) return;
  const std::string how_often = rule.within.count() != 0
                                    ? fmt::format("{} times within {} s", rule.count, rule.within.count())
                                : rule.window > 1 ? fmt::format("in {} of {} sweeps", rule.count, rule.window)
                                                  : std::string("in a sweep");
  declare(live, {.part = part,
                 .node = {},
                 .condition = rule.condition,
                 .action = rule.action,
                 .reason = fmt::format("{} {}", rule.what, how_often),
                 .until = until});
}

namespace {

/// The port of a switch behind which nothing is asked then. None: rch must go on asking, as others may be
/// reached that way alone.
std::optional<Part> way_to(const hw::LiveFabric& live, const Part& part) {
  const auto id = live.sweep->find(part.node);
  if (!id) return std::nullopt;
  const hw::Sweep& sweep = *live.sweep;
  const hw::SweepNode& node = sweep.nodes()[id->index()];
  std::vector<std::pair<hw::SweepNodeId, PortNum>> peers;
  for (std::size_t p = 1; p < node.ports.size(); ++p)
    if (const auto& peer = node.ports[p].peer; peer && (part.port.value == 0 || part.port.index() == p))
      peers.push_back(*peer);
  if (node.is_switch()) {
    // Nothing was found behind the port, or an adapter.
    const bool is_end =
        part.port.value != 0 && (peers.empty() || !sweep.nodes()[peers.front().first.index()].is_switch());
    return is_end ? std::optional(part) : std::nullopt;
  }
  if (peers.size() != 1) return std::nullopt;
  return Part{sweep.nodes()[peers.front().first.index()].info.node_guid, peers.front().second};
}

}  // namespace

/// The graver of two actions counts.
void Health::declare(const hw::LiveFabric& live, Unhealthy found) {
  const auto known = unhealthy_.find(found.part);
  if (known != unhealthy_.end() && known->second.action >= found.action) return;
  if (const auto id = live.sweep->find(found.part.node)) found.node = live.sweep->shown_name(*id);
  if (found.action == HealthAction::no_discover) found.behind = way_to(live, found.part);
  changed_ = changed_ || is_out(found.action);
  const auto [at, is_new] = unhealthy_.insert_or_assign(found.part, std::move(found));
  tell_({at->second});
}

void Health::end(std::map<Part, Unhealthy>::iterator at, std::string_view why) {
  const Unhealthy ended = std::move(at->second);
  unhealthy_.erase(at);
  std::erase_if(events_, [&](const auto& entry) { return entry.first.first == ended.part; });
  changed_ = changed_ || is_out(ended.action);
  tell_({ended, true, why});
}

void Health::note_spared(const hw::LiveFabric& live) {
  for (auto& [part, unhealthy] : unhealthy_) {
    const bool spared = std::ranges::any_of(live.spared, [&, p = part](const fabric::Quarantined& kept) {
      return kept.node == p.node && kept.port == p.port;
    });
    if (spared && !std::exchange(unhealthy.spared, spared)) tell_({unhealthy});
    unhealthy.spared = spared;
  }
}

// The operator

namespace {

/// The port with that GUID, also of a node that is left out.
std::optional<Part> port_with(const hw::Sweep& sweep, Guid guid) {
  for (const hw::SweepNode& node : sweep.nodes()) {
    if (node.info.port_guid == guid)
      return Part{node.info.node_guid, node.is_switch() ? PortNum{} : node.info.local_port};
    for (std::size_t p = 1; !node.is_switch() && p < node.ports.size(); ++p)
      if (node.ports[p].guid == guid) return Part{node.info.node_guid, PortNum(static_cast<std::uint8_t>(p))};
  }
  return std::nullopt;
}

}  // namespace

Result<Part> Health::find_part(const hw::LiveFabric& live, Part part) {
  if (const auto found = port_with(*live.sweep, part.node); found && !live.sweep->find(part.node)) {
    if (part.port.value != 0 && part.port != found->port)
      return fail(ErrorKind::usage, fmt::format("{} is the GUID of port {}", part.node, found->port));
    return *found;
  }
  const auto id = live.sweep->find(part.node);
  if (!id) return fail(ErrorKind::usage, fmt::format("no node or port has the GUID {}", part.node));
  const hw::SweepNode& node = live.sweep->nodes()[id->index()];
  if (part.port.index() >= node.ports.size())
    return fail(ErrorKind::usage,
                fmt::format("`{}` has {} ports", live.sweep->shown_name(*id), node.info.num_ports));
  return part;
}

namespace {

/// Our own node, or our cable: without it this subnet manager were cut off.
bool is_our_way(const hw::LiveFabric& live, const Part& part) {
  const fabric::Fabric& fabric = live.fabric;
  const fabric::Port& own = fabric.port(live.local);
  if (part.node == fabric.node(own.node).guid) return true;
  if (own.peer.is_none()) return false;
  const fabric::Port& peer = fabric.port(own.peer);
  return part == Part{fabric.node(peer.node).guid, peer.number};
}

Unhealthy by_hand(const Part& part, HealthAction action) {
  return {.part = part,
          .node = {},
          .condition = Condition::manual,
          .action = action,
          .reason = "the operator says so",
          .until = hw::TimePoint::max()};
}

bool is_by_hand(const Unhealthy& unhealthy) { return unhealthy.condition == Condition::manual; }

}  // namespace

Result<void> Health::isolate(const hw::LiveFabric& live, Part asked, std::optional<HealthAction> action) {
  const auto part = find_part(live, asked);
  if (!part) return tl::unexpected(part.error());
  if (is_our_way(live, *part))
    return fail(ErrorKind::usage, "the subnet manager runs behind that port: it cannot be left out");
  if (!action) action = manual_action(*live.sweep, *part);
  if (action == HealthAction::ignore)
    return fail(ErrorKind::usage,
                "the configuration says `ignore` of what is left out by hand (`hm_ca_manual_action`, "
                "`hm_sw_manual_action`): `--action` says otherwise");
  const Part left_out = as_left_out(*live.sweep, *part);
  unhealthy_.erase(left_out);
  Unhealthy unhealthy = by_hand(left_out, *action);
  unhealthy.asked = asked.node;
  declare(live, std::move(unhealthy));
  return {};
}

/// Returns the action that the configuration has for a part that the operator names.
HealthAction Health::manual_action(const hw::Sweep& sweep, const Part& part) const {
  const auto id = sweep.find(part.node);
  const bool is_switch = id && sweep.nodes()[id->index()].info.type == fabric::NodeType::sw;
  return is_switch ? settings_.options.hm_sw_manual_action : settings_.options.hm_ca_manual_action;
}

Health::ManualParts Health::left_out_by_hand() const {
  ManualParts parts;
  for (const auto& [part, unhealthy] : unhealthy_)
    if (is_by_hand(unhealthy)) parts.emplace(part, unhealthy.action);
  return parts;
}

void Health::leave_out_by_hand(const ManualParts& parts) {
  if (left_out_by_hand() == parts) return;
  std::erase_if(unhealthy_, [](const auto& entry) { return is_by_hand(entry.second); });
  for (const auto& [part, action] : parts)
    tell_({unhealthy_.insert_or_assign(part, by_hand(part, action)).first->second});
  changed_ = true;
}

/// Names parts that were left out before a look, and what leads to them. This manager may run at
/// another host than the one that left them out.
void Health::meet_manual_parts(const hw::LiveFabric& live) {
  for (auto at = unhealthy_.begin(); at != unhealthy_.end();) {
    const auto next = std::next(at);
    Unhealthy& known = at->second;
    const auto id = live.sweep->find(known.part.node);
    if (is_by_hand(known) && known.node.empty() && id) {
      known.node = live.sweep->shown_name(*id);
      if (known.action == HealthAction::no_discover) known.behind = way_to(live, known.part);
      if (is_our_way(live, known.part)) end(at, "this subnet manager runs behind it");
    }
    at = next;
  }
}

Result<void> Health::release(const hw::LiveFabric& live, Part asked) {
  const auto found = find_part(live, asked);
  const Part part = as_left_out(*live.sweep, found ? *found : asked);  // it may be gone
  std::size_t released = 0;
  for (auto at = unhealthy_.begin(); at != unhealthy_.end();) {
    const auto next = std::next(at);
    const bool is_named = asked.port.value == 0 && at->second.asked == asked.node;
    if (at->first == part || is_named || (part.port.value == 0 && at->first.node == part.node)) {
      end(at, "the operator says so");
      ++released;
    }
    at = next;
  }
  if (released == 0)
    return fail(ErrorKind::usage,
                fmt::format("nothing of {} is unhealthy: `rch quarantine list` names what is", asked.node));
  return {};
}

void Health::on_time(hw::TimePoint now) {
  for (auto at = unhealthy_.begin(); at != unhealthy_.end();) {
    const auto next = std::next(at);
    if (at->second.until <= now) end(at, "nothing happened for long enough");
    at = next;
  }
  const seconds longest{std::max({settings_.quarantine.period, settings_.options.hm_reboots_period_secs,
                                  settings_.options.hm_num_traps_period_secs, std::uint32_t{3600}})};
  std::erase_if(events_, [&](const auto& entry) { return now - entry.second.last > longest; });
}

hw::TimePoint Health::deadline() const {
  hw::TimePoint first = hw::TimePoint::max();
  for (const auto& [part, unhealthy] : unhealthy_) first = std::min(first, unhealthy.until);
  return first;
}

void Health::forget() {
  events_.clear();
  down_.clear();
  std::erase_if(unhealthy_, [](const auto& entry) { return !is_by_hand(entry.second); });
}

std::vector<hw::LateFault> Health::left_out() const {
  std::vector<hw::LateFault> faults;
  for (const auto& [part, unhealthy] : unhealthy_) {
    if (!is_out(unhealthy.action)) continue;
    const std::string why =
        fmt::format("is unhealthy ({}): {}", name_of(unhealthy.condition), unhealthy.reason);
    const auto scope = part.port.value == 0 ? SweepProblem::Scope::node : SweepProblem::Scope::cable;
    hw::LateFault fault{.node = part.node, .port = part.port, .scope = scope, .what = " " + why};
    if (const auto& behind = unhealthy.behind) {
      fault = {.node = behind->node,
               .port = behind->port,
               .scope = SweepProblem::Scope::cable,
               .what = fmt::format(" leads to what {}", why)};
      fault.is_asked = false;
    }
    fault.yields = true;
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace rch::sm
