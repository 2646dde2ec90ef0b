#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric_builder.h"
#include "fabric/generator.h"

namespace rch::fabric {

/// Collects switches, links and hosts of one generated fabric. GUIDs follow the order of calls. Switches are
/// numbered in order of add_switch(). Mistakes are kept and reported by build().
class Assembly {
 public:
  static constexpr std::uint32_t kMaxPorts = 254;

  explicit Assembly(const GeneratorOptions& options) : options_(options) {}

  const GeneratorOptions& options() const { return options_; }
  void add_switch(std::string_view name, std::uint64_t ports);
  /// Links from ports `a_port`.. to ports `b_port`.. of two switches, as many as are parallel.
  void join(std::size_t a, std::uint32_t a_port, std::size_t b, std::uint32_t b_port);
  /// The same from the next ports that are free.
  void join(std::size_t a, std::size_t b);
  /// Hosts of one port on the ports `first_port`.. of a switch.
  void add_hosts(std::size_t sw, std::uint32_t first_port, std::uint32_t count);
  /// The same on the next ports that are free.
  void add_hosts(std::size_t sw);
  /// A host whose port r + 1 is on port `port` of switch `first` + r.
  void add_rail_host(std::size_t first, std::uint32_t rails, std::uint32_t port);

  /// Fails (usage) on a switch with too many ports or none.
  Result<Fabric> build() &&;

 private:
  using Handle = FabricBuilder::Handle;

  Handle add(NodeSpec spec, std::string_view name);
  Handle add_host(std::uint32_t ports);
  void connect(Handle a, std::uint32_t a_port, Handle b, std::uint32_t b_port);
  std::uint32_t take_ports(std::size_t sw, std::uint32_t count);

  const GeneratorOptions& options_;
  FabricBuilder builder_;
  std::vector<Handle> switches_;
  std::vector<std::uint32_t> next_port_;  ///< by switch: first one that no call has taken
  std::uint64_t hosts_ = 0;
  Handle first_host_ = Handle::none();
  std::uint64_t excess_ = 0;  ///< most ports that a switch would have beyond the limit
  bool portless_ = false;
  std::string mistake_;
};

}  // namespace rch::fabric
