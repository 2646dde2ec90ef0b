#pragma once

#include <span>
#include <string>

#include "verify/trace.h"

namespace rch::verify {

/// Words for findings. All names carry description and GUID.
class Messages {
 public:
  Messages(const fabric::Fabric& fabric, const fabric::RoutingTables& tables)
      : fabric_(fabric), tables_(tables) {}

  std::string node(NodeId node) const;
  std::string port(PortId port) const;
  /// `source` to the LID of its owner.
  std::string pair(const Source& source, const Destination& destination) const;
  /// The switch and the port a packet leaves by, and the step that says so where there are several.
  std::string hop(const Hop& hop) const;
  /// Hops with arrows between; the middle of a long row is left out.
  std::string row(std::span<const Hop> hops) const;

  /// Why the last hop of a path that breaks off leads nowhere.
  std::string break_off(const Hop& hop, const Exit& exit) const;
  std::string no_vl(const Hop& hop, std::uint8_t data_vls) const;
  std::string no_vl(PortId source, std::uint8_t sl, std::uint8_t vl, std::uint8_t data_vls) const;
  /// One channel of a credit loop with the path that holds it.
  std::string holder(const Hop& hop) const;

 private:
  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& tables_;
};

/// Joins texts with arrows; beyond twelve the middle is counted, not shown.
std::string with_arrows(std::span<const std::string> texts);

}  // namespace rch::verify
