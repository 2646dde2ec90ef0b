#include "fabric/equipment.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fabric/fabric_builder.h"
#include "fabric/generator.h"
#include "fabric/random.h"

namespace rch::fabric {
namespace {

constexpr std::size_t kMostPorts = 254;
/// Between the GUIDs of consecutive hosts: a node, two ports and a system.
constexpr std::uint64_t kHostGuids = 4;

/// The nodes of a fabric by their index in it, then the new ones.
class Equipping {
 public:
  Equipping(const Fabric& fabric, const GeneratorOptions& options)
      : fabric_(fabric), options_(options), random_(options.equipment.seed), missing_(fabric.nodes().size()) {
    for (const Node& node : fabric.nodes()) specs_.push_back(spec_of(fabric, node));
    for (const EndPort& host : fabric.end_ports())
      if (leaves_.empty() || leaves_.back() != host.sw) leaves_.push_back(host.sw);
  }

  void enhance_port0() {
    for (std::size_t s = 0; s < fabric_.switch_count(); ++s) specs_[s].enhanced_port0 = true;
  }

  void remove_hosts() {
    const NodeId origin = fabric_.origin() ? fabric_.port(*fabric_.origin()).node : NodeId::none();
    for (std::size_t n = fabric_.switch_count(); n < missing_.size(); ++n)
      missing_[n] = random_.below(4) == 0 && n != origin.index();
  }

  void add_second_ports() {
    for (std::size_t n = fabric_.switch_count(); n < missing_.size(); ++n) {
      if (missing_[n] || specs_[n].ports.size() != 2 || random_.below(2) != 0) continue;
      add_port(n);
      lay_cable(n, another_leaf(leaf_of(n)));
    }
  }

  void add_spine_hosts() {
    std::vector<SwitchId> bare;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s)
      if (fabric_.end_ports_of(SwitchId(s)).empty()) bare.push_back(SwitchId(s));
    random_.shuffle(bare);
    bare.resize((bare.size() + 3) / 4);
    std::uint64_t guid = first_free_guid();
    std::size_t number = fabric_.nodes().size() - fabric_.switch_count();
    for (const SwitchId sw : bare) {
      add_adapter(sw, Guid(guid), Guid(guid + kHostGuids - 1), kHostDevice,
                  fmt::format("{}host{:03d} HCA-1", options_.name_prefix, number++));
      guid += kHostGuids;
    }
  }

  void add_spare_ports() {
    for (std::size_t s = 0; s < fabric_.switch_count(); ++s)
      for (std::uint64_t more = 1 + random_.below(4); more > 0; --more) add_port(s);
  }

  void add_aggregation_nodes() {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const Guid guid(specs_[s].guid.value + 4);
      const Guid system = specs_[s].system_guid;
      const std::size_t node =
          add_adapter(SwitchId(s), guid, system, kAggregationDevice, std::string(kAggregationNode));
      specs_[node].ports[1].guid = guid;
    }
  }

  Result<Fabric> build() && {
    FabricBuilder builder;
    for (const NodeSpec& spec : specs_) {
      if (spec.ports.size() > kMostPorts + 1)
        return fail(ErrorKind::usage, fmt::format("a switch would need {} ports; it can have {}",
                                                  spec.ports.size() - 1, kMostPorts));
      builder.add(spec);
    }
    for (const Port& port : fabric_.ports())
      if (!port.peer.is_none()) {
        const Port& peer = fabric_.port(port.peer);
        (void)builder.connect(handle(port.node.index()), port.number, handle(peer.node.index()), peer.number);
      }
    for (const Cable& cable : cables_)
      (void)builder.connect(handle(cable.node), cable.port, handle(cable.sw.index()), cable.sw_port);
    if (const auto origin = fabric_.origin())
      builder.set_origin(handle(fabric_.port(*origin).node.index()), fabric_.port(*origin).number);
    for (std::size_t n = 0; n < missing_.size(); ++n)
      if (missing_[n]) builder.remove(handle(n));
    return std::move(builder).build();
  }

 private:
  using Handle = FabricBuilder::Handle;
  struct Cable {
    std::size_t node;
    PortNum port;
    SwitchId sw;
    PortNum sw_port;
  };

  static Handle handle(std::size_t node) { return Handle(static_cast<std::uint32_t>(node)); }

  SwitchId leaf_of(std::size_t host) const {
    const Port& port = fabric_.ports()[fabric_.nodes()[host].first_port.index() + 1];
    return SwitchId(fabric_.port(port.peer).node.value);
  }

  /// The same one if there is no other.
  SwitchId another_leaf(SwitchId leaf) {
    if (leaves_.size() == 1) return leaf;
    const SwitchId other = leaves_[random_.below(leaves_.size() - 1)];
    return other < leaf ? other : *std::ranges::upper_bound(leaves_, other);
  }

  std::uint64_t first_free_guid() const {
    std::uint64_t last = options_.host_guid.value;
    for (std::size_t n = fabric_.switch_count(); n < missing_.size(); ++n)
      last = std::max({last, specs_[n].system_guid.value, specs_[n].guid.value + specs_[n].ports.size()});
    return (last / kHostGuids + 1) * kHostGuids;
  }

  PortNum add_port(std::size_t node) {
    specs_[node].ports.emplace_back();
    return PortNum(static_cast<std::uint8_t>(specs_[node].ports.size() - 1));
  }

  /// From the last port of a node to a new port of a switch.
  void lay_cable(std::size_t node, SwitchId sw) {
    const auto port = PortNum(static_cast<std::uint8_t>(specs_[node].ports.size() - 1));
    const PortNum sw_port = add_port(sw.index());
    cables_.push_back({node, port, sw, sw_port});
    for (PortSpec* end : {&specs_[node].ports.back(), &specs_[sw.index()].ports.back()}) {
      end->width = options_.width;
      end->speed = options_.speed;
    }
  }

  /// Returns its index.
  std::size_t add_adapter(SwitchId sw, Guid guid, Guid system, std::uint32_t device, std::string name) {
    NodeSpec spec;
    spec.type = NodeType::ca;
    spec.guid = guid;
    spec.system_guid = system;
    spec.vendor_id = specs_[sw.index()].vendor_id;
    spec.device_id = device;
    spec.description = std::move(name);
    spec.ports.resize(2);
    specs_.push_back(std::move(spec));
    lay_cable(specs_.size() - 1, sw);
    return specs_.size() - 1;
  }

  const Fabric& fabric_;
  const GeneratorOptions& options_;
  Random random_;
  std::vector<NodeSpec> specs_;
  std::vector<Cable> cables_;     ///< that the fabric does not have
  std::vector<bool> missing_;     ///< by node of the fabric
  std::vector<SwitchId> leaves_;  ///< switches with hosts
};

}  // namespace

Result<Fabric> equipped(const Fabric& fabric, const GeneratorOptions& options) {
  const Equipment& equipment = options.equipment;
  Equipping equipping(fabric, options);
  if (equipment.enhanced_port0) equipping.enhance_port0();
  if (equipment.missing_hosts) equipping.remove_hosts();
  if (equipment.two_port_hosts) equipping.add_second_ports();
  if (equipment.spine_hosts) equipping.add_spine_hosts();
  if (equipment.spare_ports) equipping.add_spare_ports();
  if (equipment.aggregation_nodes) equipping.add_aggregation_nodes();
  return std::move(equipping).build();
}

}  // namespace rch::fabric
