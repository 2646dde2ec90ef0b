#include "verify/transition/witness.h"

#include <fmt/format.h>

#include "verify/messages.h"

namespace rch::verify {
namespace {

std::string_view whose(const MixHop& hop) {
  if (hop.held == hop.wanted) return "both tables";
  return hop.held ? "held" : "wanted";
}

/// The hops in a row, and the first switch again.
std::string round(const Change& change, std::span<const MixHop> hops, bool with_vl) {
  const Messages say(change.fabric, change.wanted);
  const auto name = [&](SwitchId sw) { return say.node(fabric::Fabric::node_id(sw)); };
  std::vector<std::string> texts;
  for (const MixHop& hop : hops)
    texts.push_back(fmt::format("{} port {}{} [to LID {}, {}]", name(hop.sw), hop.out,
                                with_vl ? fmt::format(" VL {}", hop.vl) : "", hop.destination, whose(hop)));
  return with_arrows(texts) + " -> " + name(hops.front().sw) + " again";
}

MixHop hop_by(const Move& move, SwitchId sw, std::uint8_t out) {
  return {
      sw, PortNum(out), 0, move.lids.front(), move.held[sw.index()] == out, move.wanted[sw.index()] == out};
}

}  // namespace

MixHop hop_of(const Move& move, const ChannelGraph::Channel& channel, const Lanes& lanes) {
  MixHop hop = hop_by(move, channel.sw, channel.out.value);
  hop.vl = lanes.vl_of_lane(channel.lane);
  return hop;
}

Danger forwarding_loop(const Change& change, const Wiring& wiring, const Move& move,
                       std::span<const SwitchId> circle) {
  Danger danger{FindingKind::loop, {}, {}};
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const SwitchId sw = circle[i], next = circle[(i + 1) % circle.size()];
    const std::uint8_t held = move.held[sw.index()];
    const Exit& exit = wiring.exit(sw.index(), held);
    const bool by_held = exit.kind == Exit::Kind::to_switch && exit.to == next.value;
    danger.hops.push_back(hop_by(move, sw, by_held ? held : move.wanted[sw.index()]));
  }
  danger.message = fmt::format("packets can be sent in circles: {}", round(change, danger.hops, false));
  return danger;
}

Danger transition_loop(const Change& change, std::vector<MixHop> hops, std::uint64_t concerned) {
  std::string message =
      fmt::format("{} channels can wait for each other ({} channels lie on such circles): {}", hops.size(),
                  concerned, round(change, hops, true));
  return {FindingKind::credit_loop, std::move(hops), std::move(message)};
}

}  // namespace rch::verify
