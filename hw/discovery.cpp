#include "hw/discovery.h"

#include <algorithm>
#include <tuple>

#include "fabric/fabric_builder.h"
#include "hw/causes.h"
#include "hw/inquiry.h"
#include "hw/quarantine.h"
#include "hw/sweep.h"
#include "hw/switch_poll.h"

namespace rch::hw {
namespace {

using fabric::FabricBuilder;
using fabric::LinkSpeed;
using fabric::LinkWidth;
using fabric::NodeSpec;
using fabric::PortSpec;

/// Looks at one part after the other, nearest first: a fabric that goes on changing is walked whole.
constexpr int kMostPartialLooks = 16;

/// The newest generation that is active counts (sm-sa 1.8). FDR10 is shown as the QDR it pretends to be.
LinkSpeed speed_of(const PortInfo& info) {
  if (info.speed_ext_active2 != 0) return LinkSpeed::xdr;
  switch (info.speed_ext_active) {
    case 1:
      return LinkSpeed::fdr;
    case 2:
      return LinkSpeed::edr;
    case 4:
      return LinkSpeed::hdr;
    case 8:
      return LinkSpeed::ndr;
    default:
      break;
  }
  switch (info.speed_active) {
    case 1:
      return LinkSpeed::sdr;
    case 2:
      return LinkSpeed::ddr;
    case 4:
      return LinkSpeed::qdr;
    default:
      return LinkSpeed::unknown;
  }
}

/// What is no known bit says as little as 0.
LinkWidth width_of(const PortInfo& info) {
  for (const LinkWidth known : {LinkWidth::x1, LinkWidth::x2, LinkWidth::x4, LinkWidth::x8, LinkWidth::x12})
    if (info.width_active == known) return known;
  return LinkWidth::unknown;
}

PortSpec port_spec(const SweepNode& node, std::size_t number) {
  const SweepPort& seen = node.ports[number];
  PortSpec spec;
  spec.guid = seen.guid;
  if (!seen.seen) return spec;
  spec.mtu_cap = seen.info.mtu_cap;
  spec.vl_cap = seen.info.vl_cap;
  spec.state = std::max(seen.info.state, PortState::down);
  if (number != 0 && spec.state > PortState::down) {
    spec.width = width_of(seen.info);
    spec.speed = speed_of(seen.info);
  }
  const Lid lid = seen.info.lid;
  const bool owns_lids = node.is_switch() == (number == 0);
  if (owns_lids && lid != kUnassignedLid && lid.value + (1U << seen.info.lmc) <= kMaxUnicastLid.value + 1U) {
    spec.lid = lid;
    spec.lmc = seen.info.lmc;
  }
  return spec;
}

NodeSpec node_spec(const SweepNode& node) {
  NodeSpec spec;
  spec.guid = node.info.node_guid;
  spec.system_guid = node.info.system_guid;
  spec.type = node.info.type;
  spec.enhanced_port0 = node.switch_info.enhanced_port0;
  spec.multicast_cap = node.switch_info.multicast_cap;
  spec.vendor_id = node.info.vendor_id;
  spec.device_id = node.info.device_id;
  spec.revision = node.info.revision;
  spec.description = node.description;
  for (std::size_t port = 0; port < node.ports.size(); ++port) spec.ports.push_back(port_spec(node, port));
  return spec;
}

/// Takes the LID from every end port whose range meets that of a port with a better claim: active before
/// init, then the lower GUID (sm-sa 3.1).
void settle_lid_conflicts(std::vector<NodeSpec>& nodes) {
  std::vector<PortSpec*> claims;
  for (NodeSpec& node : nodes) {
    for (PortSpec& port : node.ports) {
      if (port.lid != kUnassignedLid) claims.push_back(&port);
    }
  }
  std::sort(claims.begin(), claims.end(), [](const PortSpec* a, const PortSpec* b) {
    return std::tuple(b->state, a->guid) < std::tuple(a->state, b->guid);
  });
  std::vector<bool> taken(std::size_t{kMaxUnicastLid.value} + 1);
  for (PortSpec* port : claims) {
    const auto first = taken.begin() + port->lid.value;
    const auto last = first + (1 << port->lmc);
    if (std::find(first, last, true) == last)
      std::fill(first, last, true);
    else
      port->lid = kUnassignedLid, port->lmc = 0;
  }
}

Result<fabric::Fabric> build_fabric(const Sweep& sweep, const View& view) {
  std::vector<NodeSpec> specs;
  for (std::uint32_t n = 0; n < view.kept.size(); ++n) {
    specs.push_back(node_spec(sweep.nodes()[n]));
    for (PortSpec& port : specs.back().ports)
      if (!view.kept[n]) port.lid = kUnassignedLid;  // takes no LID from a port that takes part
  }
  settle_lid_conflicts(specs);
  FabricBuilder builder;
  for (NodeSpec& spec : specs) builder.add(std::move(spec));
  // Nodes are added in sweep order, so handles are sweep ids.
  for (std::uint32_t n = 0; n < sweep.nodes().size(); ++n) {
    const auto& ports = sweep.nodes()[n].ports;
    for (std::size_t p = 1; p < ports.size(); ++p) {
      if (!ports[p].peer) continue;
      auto connected =
          builder.connect(FabricBuilder::Handle(n), PortNum(static_cast<std::uint8_t>(p)),
                          FabricBuilder::Handle(ports[p].peer->first.value), ports[p].peer->second);
      if (!connected) return tl::unexpected(connected.error());
    }
  }
  for (std::uint32_t n = 0; n < view.kept.size(); ++n)
    if (!view.kept[n]) builder.remove(FabricBuilder::Handle(n));
  for (const auto& [node, port] : view.pulled)
    if (view.kept[node.index()]) builder.disconnect(FabricBuilder::Handle(node.value), port);
  builder.set_origin(FabricBuilder::Handle(0), sweep.local_port());
  return std::move(builder).build();
}

std::vector<OtherSm> managers_of(const LiveFabric& live) {
  std::vector<OtherSm> managers;
  for (std::uint32_t p = 0; p < live.port_info.size(); ++p)
    if (live.port_info[p].is_sm)
      managers.push_back({.port = PortId(p), .guid = live.fabric.port(PortId(p)).guid});
  return managers;
}

/// How to reach a port: a switch by its own route, an adapter by that of the switch it hangs on.
Route route_to(const Sweep& sweep, const View& view, SweepNodeId id, std::size_t port) {
  const SweepNode& node = sweep.nodes()[id.index()];
  const auto& peer = node.ports[port].peer;
  if (node.is_switch() || id == SweepNodeId(0)) return view.routes[id.index()];
  return peer ? view.routes[peer->first.index()].through(peer->second) : Route{};
}

LiveFabric assemble(fabric::Fabric fabric, std::shared_ptr<Sweep> swept, View view) {
  LiveFabric live{std::move(fabric), {}, {}, {}, {}, {}, {}, std::move(view.quarantine),
                  std::move(swept),  {}};
  const Sweep& sweep = *live.sweep;
  live.local = *live.fabric.origin();
  live.routes.resize(live.fabric.ports().size());
  live.port_info.resize(live.fabric.ports().size());
  live.switch_info.resize(live.fabric.switch_count());
  live.partition_cap.resize(live.fabric.nodes().size());
  live.looked_at.resize(live.fabric.nodes().size());
  for (std::uint32_t n = 0; n < view.kept.size(); ++n) {
    if (!view.kept[n]) continue;
    const SweepNode& node = sweep.nodes()[n];
    const NodeId id = *live.fabric.find_node(node.info.node_guid);
    for (std::size_t p = 0; p < node.ports.size(); ++p) {
      const PortId port = live.fabric.port_id(id, PortNum(static_cast<std::uint8_t>(p)));
      live.routes[port.index()] = route_to(sweep, view, SweepNodeId(n), p);
      live.port_info[port.index()] = node.ports[p].info;
    }
    live.partition_cap[id.index()] = node.info.partition_cap;
    live.looked_at[id.index()] = node.looked_at;
    if (live.fabric.is_switch(id)) live.switch_info[id.index()] = node.switch_info;
  }
  live.other_sms = managers_of(live);
  return live;
}

Result<LiveFabric> live_fabric_of(std::shared_ptr<Sweep> sweep, View view) {
  auto fabric = build_fabric(*sweep, view);
  if (!fabric) return fail(causes::kContradiction, "the fabric is inconsistent: " + fabric.error().message);
  return assemble(std::move(*fabric), std::move(sweep), std::move(view));
}

Task<Result<void>> ask_managers(Exchange& exchange, LiveFabric& live) {
  std::vector<SmpRequest> questions;
  for (const OtherSm& sm : live.other_sms)
    questions.push_back({.to = live.routes[sm.port.index()], .attribute = Attribute::sm_info});
  const auto answers = co_await ask(exchange, std::move(questions));
  if (!answers) co_return tl::unexpected(answers.error());
  for (std::size_t i = 0; i < answers->size(); ++i) live.other_sms[i].read((*answers)[i]);
  co_return {};
}

/// Port GUIDs of other subnet managers.
std::vector<Guid> other_managers(const LiveFabric& live) {
  std::vector<Guid> guids;
  for (const OtherSm& sm : live.other_sms)
    if (sm.port != live.local) guids.push_back(sm.guid);
  std::ranges::sort(guids);
  return guids;
}
std::vector<Guid> other_managers(const Sweep& sweep) {
  std::vector<Guid> guids;
  const SweepPort* own = &sweep.nodes()[0].ports[sweep.local_port().index()];
  for (const SweepNode& node : sweep.nodes())
    for (const SweepPort& port : node.ports)
      if (port.info.is_sm && &port != own) guids.push_back(port.guid);
  std::ranges::sort(guids);
  return guids;
}

// Looking again

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

/// Asks all of them what has changed: the GUIDs of those to look at.
Task<Result<std::vector<Guid>>> ask_switches(Exchange& exchange, const Sweep& sweep,
                                             std::span<const SweepNodeId> ids,
                                             const std::function<bool()>& wakes) {
  std::vector<SwitchPoll::Question> questions;
  for (const SweepNodeId id : ids)
    questions.push_back({switch_info_request(sweep, id), sweep.nodes()[id.index()].switch_info.linear_top});
  SwitchPoll poll(std::move(questions), wakes);
  if (auto ran = co_await exchange.run(poll); !ran) co_return tl::unexpected(ran.error());
  std::vector<Guid> changed;
  for (const std::size_t i : poll.changed()) changed.push_back(sweep.nodes()[ids[i].index()].info.node_guid);
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

bool is_sick(const Sweep& sweep, SweepNodeId id) {
  return std::ranges::any_of(sweep.problems(), [id](const SweepProblem& problem) {
    return problem.node == id && problem.scope == SweepProblem::Scope::node;
  });
}

/// Takes from `guids` what is in `done`.
void subtract(std::vector<Guid>& guids, const std::vector<Guid>& done) {
  std::erase_if(guids, [&](Guid guid) { return std::ranges::find(done, guid) != done.end(); });
}

/// Adds what is not there yet.
void add(std::vector<Guid>& guids, const std::vector<Guid>& more) {
  for (const Guid guid : more)
    if (std::ranges::find(guids, guid) == guids.end()) guids.push_back(guid);
}

/// The walk of look_again(). Two rounds over what changed: only when the first one found no other subnet
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
      if (!sweep_.drop_unreachable()) break;
      auto view = view_of(sweep_, strict_);
      if (!view || sweep_.contradicts_itself() || managers_ != other_managers(sweep_)) break;
      sweep_.set_routes(view->routes);
      if (const auto nearest = take_nearest(sweep_, changed); !nearest.empty()) {
        const auto looked = co_await look_at(nearest);
        if (!looked) co_return tl::unexpected(looked.error());
        if (!*looked) break;
        continue;
      }
      const std::vector<SweepNodeId> switches = kept_switches(sweep_, *view);
      auto told = co_await ask_switches(exchange_, sweep_, switches, {});
      if (!told) co_return tl::unexpected(told.error());
      changed = std::move(*told);
      if (!clears_) subtract(changed, looked_at_);
      add(changed, std::exchange(deferred_, {}));
      if (!changed.empty()) continue;
      if (clears_) co_return std::move(*view);
      clears_ = true;
      changed = looked_at_;
    }
    co_return std::optional<View>();
  }

 private:
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
    sweep_.look_again(answering);
    if (auto ran = co_await exchange_.run(sweep_); !ran) co_return tl::unexpected(ran.error());
    co_return std::ranges::none_of(answering, [&](SweepNodeId id) { return is_sick(sweep_, id); });
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
  bool clears_ = false;
  std::vector<Guid> managers_;  ///< others, as they were
  std::vector<Guid> looked_at_;
  std::vector<Guid> silent_;    ///< once
  std::vector<Guid> deferred_;  ///< to be looked at once all others were
};

}  // namespace

Task<Result<LiveFabric>> discover(Exchange& exchange, bool strict) {
  auto sweep = std::make_shared<Sweep>();
  if (auto ran = co_await exchange.run(*sweep); !ran) co_return tl::unexpected(ran.error());
  // What moved meanwhile is seen where it is now; two nodes with one GUID contradict each other again.
  if (const auto doubted = sweep->found_twice(); !doubted.empty() || sweep->contradicts_itself()) {
    sweep = std::make_shared<Sweep>(doubted);
    if (auto ran = co_await exchange.run(*sweep); !ran) co_return tl::unexpected(ran.error());
  }
  auto view = view_of(*sweep, strict);
  if (!view) co_return tl::unexpected(view.error());
  auto live = live_fabric_of(sweep, std::move(*view));
  if (!live) co_return live;
  if (auto asked = co_await ask_managers(exchange, *live); !asked) co_return tl::unexpected(asked.error());
  co_return live;
}

Task<Result<std::optional<LiveFabric>>> look_again(Exchange& exchange, const LiveFabric& before,
                                                   std::vector<Guid> changed, bool strict) {
  const std::shared_ptr<Sweep> sweep = before.sweep;
  PartialWalk walk(exchange, *sweep, strict);
  auto view = co_await walk.run(std::move(changed));
  if (!view) co_return tl::unexpected(view.error());
  if (!*view) co_return std::nullopt;
  auto live = live_fabric_of(sweep, std::move(**view));
  if (!live) co_return std::nullopt;
  if (auto asked = co_await ask_managers(exchange, *live); !asked) co_return tl::unexpected(asked.error());
  if (other_managers(before) != other_managers(*live)) co_return std::nullopt;
  std::erase_if(live->other_sms, [&](const OtherSm& sm) { return sm.port == live->local; });
  co_return std::optional(std::move(*live));
}

Task<Result<std::vector<Guid>>> ask_switches(Exchange& exchange, const LiveFabric& live,
                                             const std::function<bool()>& wakes) {
  const std::vector<SweepNodeId> switches = switches_of(live);
  co_return co_await ask_switches(exchange, *live.sweep, switches, wakes);
}

Task<Result<bool>> clear_changes(Exchange& exchange, const LiveFabric& live) {
  std::vector<SmpRequest> clearing;
  for (std::uint32_t s = 0; s < live.switch_info.size(); ++s) {
    if (!live.switch_info[s].port_state_change) continue;
    SmpRequest request = request_to(live, live.port0(SwitchId(s)), Attribute::switch_info, 0, 0);
    request.method = Method::set;
    request.data = encode(live.switch_info[s]);
    clearing.push_back(request);
  }
  if (clearing.empty()) co_return false;
  const auto cleared = co_await ask(exchange, std::move(clearing));
  if (!cleared) co_return tl::unexpected(cleared.error());
  co_return true;
}

}  // namespace rch::hw
