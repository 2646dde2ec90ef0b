#include "cli/performance_log.h"

#include <fmt/format.h>

namespace rch::cli {
namespace {

using perfmgr::Counter;
using perfmgr::kCounterCount;
using perfmgr::PortKey;

/// A port with its fields, as other lines of the log name them.
struct Named {
  std::string text;
  Json fields;
};

std::string port_text(const std::string& node, Guid guid, PortNum number) {
  return fmt::format("`{}` ({}) port {}", node, guid, number);
}

Named name(const PortKey& key, const fabric::Fabric* fabric) {
  Named named{fmt::format("{} port {}", key.node, key.number),
              {{"guid", fmt::format("{}", key.node)}, {"port", key.number.value}}};
  const auto node = fabric != nullptr ? fabric->find_node(key.node) : std::nullopt;
  if (!node || key.number.value > fabric->node(*node).num_ports) return named;
  named.text = port_text(fabric->node(*node).name(), key.node, key.number);
  named.fields["node"] = fabric->node(*node).name();
  const PortId peer = fabric->port(fabric->port_id(*node, key.number)).peer;
  if (peer.is_none()) return named;
  const fabric::Node& other = fabric->node(fabric->port(peer).node);
  named.text += ", link to " + port_text(other.name(), other.guid, fabric->port(peer).number);
  named.fields["peer_guid"] = fmt::format("{}", other.guid);
  named.fields["peer_port"] = fabric->port(peer).number.value;
  named.fields["peer_node"] = other.name();
  return named;
}

std::string seconds(hw::Milliseconds span) { return fmt::format("{} s", (span.count() + 500) / 1000); }

LogLine line_of(const perfmgr::ErrorsRose& event, const fabric::Fabric* fabric) {
  Named port = name(event.port, fabric);
  std::string list;
  Json rose = Json::object();
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    if (event.risen[c] == 0) continue;
    const std::string counter(perfmgr::row_of(static_cast<Counter>(c)).name);
    list += fmt::format("{}{} +{}", list.empty() ? "" : ", ", counter, event.risen[c]);
    rose[counter] = event.risen[c];
  }
  port.fields["counters"] = std::move(rose);
  port.fields["seconds"] = static_cast<double>(event.span.count()) / 1000;
  return {"RCH160", fmt::format("errors at {}: {} in {}", port.text, list, seconds(event.span)),
          std::move(port.fields)};
}

LogLine line_of(const perfmgr::XmitWaitRose& event, const fabric::Fabric* fabric) {
  Named port = name(event.port, fabric);
  port.fields["ticks"] = event.risen;
  port.fields["seconds"] = static_cast<double>(event.span.count()) / 1000;
  return {
      "RCH161",
      fmt::format("congestion at {}: PortXmitWait +{} in {}", port.text, event.risen, seconds(event.span)),
      std::move(port.fields)};
}

LogLine line_of(const perfmgr::AgentSilent& event, const fabric::Fabric* fabric) {
  Named port = name(event.port, fabric);
  port.fields["lid"] = event.lid.value;
  return {"RCH162",
          fmt::format("{} requests for counters: {}, LID {}",
                      event.silent ? "no answer to" : "answers again to", port.text, event.lid),
          std::move(port.fields)};
}

LogLine line_of(const perfmgr::CountersReset& event, const fabric::Fabric* fabric) {
  Named port = name(event.port, fabric);
  std::string list;
  for (std::size_t c = 0; c < kCounterCount; ++c)
    if (event.counters[c])
      list += fmt::format("{}{}", list.empty() ? "" : ", ", perfmgr::row_of(static_cast<Counter>(c)).name);
  port.fields["counters"] = list;
  return {"RCH163", fmt::format("somebody else cleared counters of {}: {}", port.text, list),
          std::move(port.fields)};
}

LogLine line_of(const perfmgr::EventsLeftOut& event, const fabric::Fabric*) {
  return {"RCH164",
          fmt::format("{} further lines on counters are left out", event.count),
          {{"count", event.count}}};
}

}  // namespace

LogLine describe(const perfmgr::Event& event, const fabric::Fabric* fabric) {
  return std::visit([fabric](const auto& told) { return line_of(told, fabric); }, event);
}

}  // namespace rch::cli
