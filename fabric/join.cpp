#include "fabric/join.h"

#include "fabric/fabric_builder.h"
#include "fabric/names.h"

namespace rch::fabric {
namespace {

constexpr std::size_t kMaxPorts = 254;

using Handle = FabricBuilder::Handle;

/// Nodes and cables of several fabrics before they are one.
class Union {
 public:
  void add(const Fabric& fabric) {
    const auto offset = static_cast<std::uint32_t>(specs_.size());
    for (const Node& node : fabric.nodes()) {
      specs_.push_back(spec_of(fabric, node));
      used_.emplace_back(node.num_ports + std::size_t{1}, false);
    }
    for (const Port& port : fabric.ports()) {
      if (port.peer.is_none()) continue;
      const Port& peer = fabric.port(port.peer);
      lay({port.node.value + offset, port.number}, {peer.node.value + offset, peer.number});
    }
  }

  /// A new cable between two switches, numbered in order of add().
  Result<void> lay_new(std::uint32_t a, std::uint32_t b) {
    const auto a_port = take_port(a);
    if (!a_port) return tl::unexpected(a_port.error());
    const auto b_port = take_port(b);
    if (!b_port) return tl::unexpected(b_port.error());
    lay({a, *a_port}, {b, *b_port});
    return {};
  }

  Result<Fabric> build(std::optional<PortId> origin, const Fabric& of) && {
    FabricBuilder builder;
    for (NodeSpec& spec : specs_) builder.add(std::move(spec));
    for (const auto& [a, b] : cables_)
      if (auto done = builder.connect(Handle(a.node), a.port, Handle(b.node), b.port); !done)
        return tl::unexpected(done.error());
    if (origin) builder.set_origin(Handle(of.port(*origin).node.value), of.port(*origin).number);
    return std::move(builder).build();
  }

 private:
  struct End {
    std::uint32_t node;
    PortNum port;
  };

  void lay(End a, End b) {
    used_[a.node][a.port.index()] = true;
    cables_.emplace_back(a, b);
  }

  /// Lowest port without a cable, added if need be, with the rate of the switch's first cable.
  Result<PortNum> take_port(std::uint32_t node) {
    NodeSpec& spec = specs_[node];
    std::vector<bool>& used = used_[node];
    std::size_t port = 1;
    while (port < used.size() && used[port]) ++port;
    if (port > kMaxPorts)
      return fail(ErrorKind::invalid,
                  fmt::format("`{}` has {} cables and no room for another", spec.description, kMaxPorts));
    if (port == used.size()) {
      used.push_back(false);
      const Guid guid = spec.ports.front().guid;  // a switch's ports share it
      spec.ports.emplace_back().guid = guid;
    }
    used[port] = true;
    for (const PortSpec& other : spec.ports) {
      if (other.width == LinkWidth::unknown) continue;
      spec.ports[port].width = other.width;
      spec.ports[port].speed = other.speed;
      break;
    }
    return PortNum(static_cast<std::uint8_t>(port));
  }

  std::vector<NodeSpec> specs_;
  std::vector<std::vector<bool>> used_;
  std::vector<std::pair<End, End>> cables_;
};

Result<std::uint32_t> named_switch(const Fabric& fabric, std::string_view name) {
  const auto node = find_named(fabric, name);
  if (!node) return tl::unexpected(node.error());
  if (!fabric.is_switch(*node)) return fail(ErrorKind::usage, fmt::format("`{}` is no switch", name));
  return node->value;
}

}  // namespace

Result<Fabric> join(const Fabric& a, const Fabric& b, std::span<const JoinLink> links) {
  Union both;
  both.add(a);
  both.add(b);
  for (const JoinLink& link : links) {
    const auto from = named_switch(a, link.a);
    if (!from) return tl::unexpected(from.error());
    const auto to = named_switch(b, link.b);
    if (!to) return tl::unexpected(to.error());
    const auto laid = both.lay_new(*from, *to + static_cast<std::uint32_t>(a.nodes().size()));
    if (!laid) return tl::unexpected(laid.error());
  }
  return std::move(both).build(a.origin(), a);
}

}  // namespace rch::fabric
