#include "policy/bind/partitions/end_ports.h"

#include <limits>

namespace rch::policy::partitions {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

EndPorts::EndPorts(const Place& place)
    : place_(place), fabric_(place.fabric), index_(place.fabric.ports().size(), kNone) {
  for (std::uint32_t id = 0; id < index_.size(); ++id) {
    if (!is_end_port(PortId(id))) continue;
    index_[id] = static_cast<std::uint32_t>(ports_.size());
    ports_.emplace_back(id);
  }
}

bool EndPorts::is_end_port(PortId id) const {
  const fabric::Port& port = fabric_.port(id);
  if (fabric_.is_switch(port.node)) return port.number == PortNum(0);
  return port.number != PortNum(0) && !port.peer.is_none();
}

std::optional<std::uint32_t> EndPorts::find(PortId port) const {
  const NodeId node = fabric_.port(port).node;
  const PortId end = fabric_.is_switch(node) ? fabric_.port_id(node, PortNum(0)) : port;
  const std::uint32_t index = index_[end.index()];
  return index != kNone ? std::optional(index) : std::nullopt;
}

std::optional<std::uint32_t> EndPorts::find(Guid guid) const {
  const auto port = fabric_.find_port(guid);
  return port ? find(*port) : std::nullopt;
}

void EndPorts::for_each_of(std::optional<fabric::NodeType> type,
                           const std::function<void(std::uint32_t)>& f) const {
  for (std::uint32_t i = 0; i < ports_.size(); ++i)
    if (!type || fabric_.node(fabric_.port(ports_[i]).node).type == *type) f(i);
}

void EndPorts::for_each(const Member& member, const std::function<void(std::uint32_t)>& f) const {
  const auto one = [&](std::optional<std::uint32_t> index) {
    if (index) f(*index);
  };
  switch (member.who) {
    case Who::all:
      return for_each_of(std::nullopt, f);
    case Who::all_cas:
      return for_each_of(fabric::NodeType::ca, f);
    case Who::all_switches:
      return for_each_of(fabric::NodeType::sw, f);
    case Who::all_routers:
      return for_each_of(fabric::NodeType::router, f);
    case Who::self:
      return one(sm());
    case Who::guid:
      return one(find(Guid(member.key)));
    case Who::group:
      if (member.key < place_.groups.size())
        place_.groups[member.key].for_each([&](PortId port) { one(find(port)); });
      return;
    case Who::all_vcas:
    case Who::none:
      return;
  }
}

void Shares::apply(const Partition& partition) {
  for (const std::uint32_t port : members_) shares_[port] = {};
  members_.clear();
  for (const Member& member : partition.members)
    ends_.for_each(member, [&](std::uint32_t port) {
      if (shares_[port].membership == 0) members_.push_back(port);
      shares_[port] = {static_cast<std::uint8_t>(member.membership), member.indx0 ? &member : nullptr};
    });
}

}  // namespace rch::policy::partitions
