#include "fabric/assembly.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "fabric/equipment.h"

namespace rch::fabric {
namespace {

constexpr std::uint32_t kVendor = 0x2c9;
constexpr std::uint32_t kSwitchDevice = 0xbd36;

}  // namespace

void Assembly::add_switch(std::string_view name, std::uint64_t ports) {
  if (ports > kMaxPorts) {
    excess_ = std::max(excess_, ports);
    ports = kMaxPorts;
  }
  portless_ = portless_ || ports == 0;
  NodeSpec spec;
  spec.type = NodeType::sw;
  spec.guid = Guid(options_.switch_guid.value + 8 * switches_.size());
  spec.system_guid = spec.guid;
  spec.device_id = kSwitchDevice;
  spec.ports.resize(ports + 1);
  spec.ports[0].state = PortState::active;
  switches_.push_back(add(std::move(spec), name));
  next_port_.push_back(1);
}

void Assembly::join(std::size_t a, std::uint32_t a_port, std::size_t b, std::uint32_t b_port) {
  for (std::uint32_t i = 0; i < options_.parallel; ++i)
    connect(switches_[a], a_port + i, switches_[b], b_port + i);
}

void Assembly::join(std::size_t a, std::size_t b) {
  const std::uint32_t a_port = take_ports(a, options_.parallel);
  join(a, a_port, b, take_ports(b, options_.parallel));
}

void Assembly::add_hosts(std::size_t sw, std::uint32_t first_port, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) connect(add_host(1), 1, switches_[sw], first_port + i);
}

void Assembly::add_hosts(std::size_t sw) { add_hosts(sw, take_ports(sw, options_.hosts), options_.hosts); }

void Assembly::add_rail_host(std::size_t first, std::uint32_t rails, std::uint32_t port) {
  const Handle host = add_host(rails);
  for (std::uint32_t r = 0; r < rails; ++r) connect(host, r + 1, switches_[first + r], port);
}

Result<Fabric> Assembly::build() && {
  if (excess_ > kMaxPorts)
    return fail(ErrorKind::usage,
                fmt::format("a switch would need {} ports; it can have {}", excess_, kMaxPorts));
  if (portless_) return fail(ErrorKind::usage, "a single switch without hosts has no ports");
  if (!mistake_.empty()) return fail(ErrorKind::usage, mistake_);
  if (first_host_.is_none())
    builder_.set_origin(switches_.front(), PortNum(0));
  else
    builder_.set_origin(first_host_, PortNum(1));
  return std::move(builder_).build();
}

Assembly::Handle Assembly::add(NodeSpec spec, std::string_view name) {
  spec.vendor_id = kVendor;
  spec.description = options_.name_prefix + std::string(name);
  return builder_.add(std::move(spec));
}

/// Port GUIDs follow the node GUID, and the system GUID follows them.
Assembly::Handle Assembly::add_host(std::uint32_t ports) {
  const std::uint64_t step = std::max(4U, std::bit_ceil(ports + 2));
  NodeSpec spec;
  spec.type = NodeType::ca;
  spec.guid = Guid(options_.host_guid.value + step * hosts_);
  spec.system_guid = Guid(spec.guid.value + step - 1);
  spec.device_id = kHostDevice;
  spec.ports.resize(ports + 1);
  const Handle host = add(std::move(spec), fmt::format("host{:03d} HCA-1", hosts_++));
  if (first_host_.is_none()) first_host_ = host;
  return host;
}

void Assembly::connect(Handle a, std::uint32_t a_port, Handle b, std::uint32_t b_port) {
  if (excess_ > kMaxPorts) return;
  const PortNum ap(static_cast<std::uint8_t>(a_port)), bp(static_cast<std::uint8_t>(b_port));
  if (auto done = builder_.connect(a, ap, b, bp); !done) mistake_ = done.error().message;
  for (PortSpec* port : {&builder_.node(a).ports[a_port], &builder_.node(b).ports[b_port]}) {
    port->width = options_.width;
    port->speed = options_.speed;
  }
}

std::uint32_t Assembly::take_ports(std::size_t sw, std::uint32_t count) {
  return std::exchange(next_port_[sw], next_port_[sw] + count);
}

}  // namespace rch::fabric
