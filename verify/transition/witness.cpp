#include "verify/transition/witness.h"

#include <fmt/format.h>

#include "fabric/names.h"
#include "verify/messages.h"

namespace rch::verify {
namespace {

std::string_view whose(const TransientHop& hop) {
  if (hop.installed == hop.target) return "both tables";
  return hop.installed ? "installed" : "target";
}

/// The hops in order, and the first switch again.
std::string cycle_text(const Change& change, std::span<const TransientHop> hops, bool with_vl) {
  const Messages say(change.fabric, change.target);
  const auto name = [&](SwitchId sw) { return say.node(fabric::Fabric::node_id(sw)); };
  std::vector<std::string> texts;
  for (const TransientHop& hop : hops)
    texts.push_back(fmt::format("{} port {}{}{} [to LID {}, {}]", name(hop.sw), hop.out,
                                fabric::label_behind(change.fabric, fabric::Fabric::node_id(hop.sw), hop.out),
                                with_vl ? fmt::format(" VL {}", hop.vl) : "", hop.destination, whose(hop)));
  return with_arrows(texts) + " -> " + name(hops.front().sw) + " again";
}

TransientHop hop_by(const Move& move, SwitchId sw, std::uint8_t out) {
  return {sw,
          PortNum(out),
          0,
          move.lids.front(),
          move.installed[sw.index()] == out,
          move.target[sw.index()] == out};
}

}  // namespace

TransientHop hop_of(const Move& move, const ChannelDependencyGraph::Channel& channel, const Lanes& lanes) {
  TransientHop hop = hop_by(move, channel.sw, channel.out.value);
  hop.vl = lanes.vl_of_lane(channel.lane);
  return hop;
}

Hazard forwarding_loop(const Change& change, const Wiring& wiring, const Move& move,
                       std::span<const SwitchId> cycle) {
  Hazard hazard{FindingKind::loop, {}, {}};
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const SwitchId sw = cycle[i], next = cycle[(i + 1) % cycle.size()];
    const std::uint8_t installed = move.installed[sw.index()];
    const Exit& exit = wiring.exit(sw.index(), installed);
    const bool by_installed = exit.kind == Exit::Kind::to_switch && exit.to == next.value;
    hazard.hops.push_back(hop_by(move, sw, by_installed ? installed : move.target[sw.index()]));
  }
  hazard.message =
      fmt::format("packets can be caught in a forwarding loop: {}", cycle_text(change, hazard.hops, false));
  return hazard;
}

Hazard transition_loop(const Change& change, std::vector<TransientHop> hops, std::uint64_t concerned) {
  std::string message =
      fmt::format("a credit loop of {} channels can form ({} channels lie on such cycles): {}", hops.size(),
                  concerned, cycle_text(change, hops, true));
  return {FindingKind::credit_loop, std::move(hops), std::move(message)};
}

}  // namespace rch::verify
