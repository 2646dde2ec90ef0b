#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/ibdm/system_file.h"
#include "parsers/topo/topo.h"

namespace rch::parsers::ibdm {

/// A system with its boards as they are chosen: nodes, links between them, and front panel ports.
struct Assembly {
  struct Node {
    std::string path;  ///< from the top of the system: `leaf1/U1`
    ibnl::InstanceKind kind = ibnl::InstanceKind::sw;
    std::uint8_t ports = 0;
    std::uint32_t device_id = 0;  ///< first number in the device's name
  };
  struct Port {
    std::uint32_t node = 0;  ///< index into nodes
    std::uint8_t number = 0;
  };
  struct Link {
    Port a, b;
    fabric::LinkRate rate;
  };
  struct PanelPort {
    std::string_view name;
    Port port;
    fabric::LinkRate rate;  ///< said by the innermost line that wires it
  };

  std::size_t parts = 0;  ///< nodes and boards
  std::vector<Node> nodes;
  std::vector<Link> links;  ///< those that both ends state stand twice
  std::vector<PanelPort> panel;
  std::unordered_map<std::string_view, std::uint32_t> panel_by_name;
  /// Front panel ports that are absent, with the modifier that removed their board (no source: the boards as
  /// they are chosen lack them).
  std::unordered_map<std::string_view, Span> absent;
};

/// Nodes and boards a system may have: no subnet holds more nodes.
inline constexpr std::size_t kMostParts = 49'151;

/// Puts a system of the file's type together, for the section that declares it (docs/ibdm.md). Reports
/// modifiers that mean nothing, boards whose variant is missing, and what goes with a removed board.
/// Nothing when the system is too large (reported). `file` must not be broken.
std::optional<Assembly> assemble(const SystemFile& file, const topo::Section& section,
                                 Diagnostics& diagnostics);

}  // namespace rch::parsers::ibdm
