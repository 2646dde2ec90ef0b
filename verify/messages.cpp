#include "verify/messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "fabric/names.h"

namespace rch::verify {
namespace {

std::string lane_fate(std::uint8_t vl, std::uint8_t data_vls) {
  if (vl >= 15) return fmt::format("VL {}, which drops it", vl);
  return fmt::format("VL {} of a link with {}", vl, counted(data_vls, "data VL"));
}

}  // namespace

std::string with_arrows(std::span<const std::string> texts) {
  constexpr std::size_t kShown = 12;
  if (texts.size() <= kShown) return fmt::format("{}", fmt::join(texts, " -> "));
  return fmt::format("{} -> ({} more) -> {}", fmt::join(texts.first(kShown / 2), " -> "),
                     texts.size() - kShown, fmt::join(texts.last(kShown / 2), " -> "));
}

std::string Messages::node(NodeId node) const {
  return fmt::format("`{}` ({})", fabric_.node(node).name(), fabric_.node(node).guid);
}

std::string Messages::port(PortId port) const {
  const fabric::Port& at = fabric_.port(port);
  return fmt::format("{} port {}{}", node(at.node), at.number,
                     fabric::label_behind(fabric_, at.node, at.number));
}

std::string Messages::pair(const Source& source, const Destination& destination) const {
  return fmt::format("{} to LID {} of {}", port(source.port), destination.lid, port(destination.owner.port));
}

std::string Messages::hop(const Hop& hop) const {
  const NodeId sw = fabric::Fabric::node_id(hop.sw);
  std::string text =
      fmt::format("{} port {}{}", node(sw), hop.out, fabric::label_behind(fabric_, sw, hop.out));
  if (tables_.steps.size() > 1 && hop.destination < fabric::kFirstMulticastLid)
    text += fmt::format(" (step {})", tables_.steps[tables_.step_of(hop.sw, hop.destination)].id);
  return text;
}

std::string Messages::row(std::span<const Hop> hops) const {
  std::vector<std::string> texts;
  for (const Hop& h : hops) texts.push_back(hop(h));
  return with_arrows(texts);
}

std::string Messages::break_off(const Hop& hop, const Exit& exit) const {
  const std::string sw = node(fabric::Fabric::node_id(hop.sw));
  switch (exit.kind) {
    case Exit::Kind::own_port:
      return fmt::format("{} keeps LID {} to itself (port 0)", sw, hop.destination);
    case Exit::Kind::no_link:
      return fmt::format("{} sends LID {} to port {}, which has no link", sw, hop.destination, hop.out);
    case Exit::Kind::no_such_port:
      if (hop.out.value == kNoPath) return fmt::format("{} has no entry for LID {}", sw, hop.destination);
      return fmt::format("{} sends LID {} to port {} and has {} ports", sw, hop.destination, hop.out,
                         fabric_.node(hop.sw).num_ports);
    case Exit::Kind::to_host:
    case Exit::Kind::to_switch:
      break;
  }
  return fmt::format("{} sends LID {} to port {}, where {} does not own it", sw, hop.destination, hop.out,
                     port(PortId(exit.to)));
}

std::string Messages::no_vl(const Hop& hop, std::uint8_t data_vls) const {
  return fmt::format("{} maps SL {} from port {} to port {} to {}", node(fabric::Fabric::node_id(hop.sw)),
                     hop.sl, hop.in, hop.out, lane_fate(hop.vl, data_vls));
}

std::string Messages::no_vl(PortId source, std::uint8_t sl, std::uint8_t vl, std::uint8_t data_vls) const {
  return fmt::format("{} maps SL {} to {}", port(source), sl, lane_fate(vl, data_vls));
}

std::string Messages::holder(const Hop& h) const {
  if (h.destination >= fabric::kFirstMulticastLid)
    return fmt::format("{} VL {} [multicast LID 0x{:04X}, SL {}]", hop(h), h.vl, h.destination, h.sl);
  return fmt::format("{} VL {} [{} to LID {}, SL {}]", hop(h), h.vl, port(h.source), h.destination, h.sl);
}

}  // namespace rch::verify
