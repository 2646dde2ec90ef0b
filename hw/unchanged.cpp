#include "hw/unchanged.h"

#include <utility>

#include "hw/inquiry.h"
#include "hw/sweep.h"

namespace rch::hw {
namespace {

/// What is asked of one fabric, and whether the answers are those of before.
class Comparison {
 public:
  explicit Comparison(LiveFabric& live) : live_(live) {
    for (std::uint32_t s = 0; s < live.fabric.switch_count(); ++s) {
      add(live.port0(SwitchId(s)), Attribute::switch_info);
      for (unsigned number = 1; number <= live.fabric.node(SwitchId(s)).num_ports; ++number)
        add_port(live.fabric.port_id(SwitchId(s), PortNum(static_cast<std::uint8_t>(number))));
    }
  }

  std::vector<SmpRequest> take_requests() { return std::move(requests_); }

  /// To be called with the answers to all of them.
  bool agrees(std::span<const SmpAnswer> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (!answers[i].good() || !agrees(asked_[i], answers[i].data)) return false;
    return true;
  }

 private:
  struct Asked {
    PortId port;
    Attribute attribute;
  };

  void add(PortId port, Attribute attribute, std::uint32_t modifier = 0) {
    requests_.push_back(request_to(live_, port, attribute, modifier, 0));
    asked_.push_back({port, attribute});
  }

  void add_port(PortId id) {
    const fabric::Port& port = live_.fabric.port(id);
    const bool tells_by_cable = !port.peer.is_none() && live_.info(id).state == PortState::init &&
                                live_.info(port.peer).state == PortState::init;
    if (!tells_by_cable) return add(id, Attribute::port_info, port.number.value | kExtendedSpeeds);
    if (live_.is_switch_port(port.peer) && is_nearer(port.peer, id)) return;  // that end tells
    add(id, Attribute::node_info);
    requests_.back().to = live_.routes[id.index()].through(port.number);
    requests_.back().node = {};
  }

  bool is_nearer(PortId a, PortId b) const {
    const auto distance = [this](PortId port) { return std::pair(live_.routes[port.index()].hops, port); };
    return distance(a) < distance(b);
  }

  bool agrees(const Asked& asked, const SmpData& data) {
    switch (asked.attribute) {
      case Attribute::switch_info:
        return agrees(SwitchId(live_.fabric.port(asked.port).node.value), data);
      case Attribute::port_info:
        return get(data, port_info::kState) == static_cast<std::uint64_t>(live_.info(asked.port).state);
      default:
        return is_node_of(live_.fabric.port(live_.fabric.port(asked.port).peer), data);
    }
  }

  bool agrees(SwitchId sw, const SmpData& data) {
    live_.sweep->learn(live_.fabric.node(sw).guid, PortNum(0), Attribute::switch_info, data);
    SwitchInfo expected = std::exchange(live_.switch_info[sw.index()], decode<SwitchInfo>(data));
    expected.port_state_change = false;
    return live_.switch_info[sw.index()] == expected;
  }

  bool is_node_of(const fabric::Port& port, const SmpData& data) const {
    return get(data, node_info::kNodeGuid) == live_.fabric.node(port.node).guid.value &&
           get(data, node_info::kPortGuid) == port.guid.value &&
           get(data, node_info::kLocalPort) == port.number.value;
  }

  LiveFabric& live_;
  std::vector<SmpRequest> requests_;
  std::vector<Asked> asked_;
};

bool is_whole(const LiveFabric& live) {
  return live.fabric.switch_count() > 0 && live.quarantine.empty() && live.spared.empty() &&
         live.sweep->problems().empty();
}

}  // namespace

Task<Result<bool>> is_unchanged(Exchange& exchange, LiveFabric& live) {
  if (!is_whole(live)) co_return false;
  Comparison comparison(live);
  const auto answers = co_await ask(exchange, comparison.take_requests());
  if (!answers) co_return tl::unexpected(answers.error());
  const auto compare = [&] { return comparison.agrees(*answers); };
  co_return co_await exchange.work(compare);
}

}  // namespace rch::hw
