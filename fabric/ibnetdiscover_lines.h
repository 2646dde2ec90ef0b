#pragma once

#include <optional>
#include <string_view>

#include "fabric/fabric.h"
#include "fabric/line_cursor.h"
#include "fabric/link_rate.h"
#include "fabric/reporter.h"

namespace rch::fabric {

/// `Switch 36 "S-0002c90200400000" # "leaf01" enhanced port 0 lid 4 lmc 0`
struct HeaderLine {
  std::optional<std::uint8_t> ports;
  std::string_view id;
  std::string_view description;  ///< empty if there is none
  bool enhanced_port0 = false;
  Lid lid;  ///< of a switch's port 0
  std::uint8_t lmc = 0;
};

/// `[1](2c90300010001) "S-0002c90200400000"[2](guid) w=3 # lid 6 lmc 0 "leaf01" lid 4 4xQDR s=4 w=2 v=4`
struct PortLine {
  std::uint64_t port = 0;
  Guid guid;                      ///< 0: not said
  std::optional<Span> zero_guid;  ///< where it is said to be 0
  std::string_view peer;
  Span peer_span;
  std::uint64_t peer_port = 1;
  Span peer_port_span;
  Guid peer_guid;  ///< 0: not said
  Lid lid;         ///< of a CA or router port
  std::uint8_t lmc = 0;
  std::uint8_t vl_cap = 0;
  std::optional<LinkRate> rate;
  std::optional<EnabledRates> enabled;
};

/// Reads the line behind its first word. Nothing (reported) without an id; a bad port count leaves `ports`
/// empty.
std::optional<HeaderLine> read_header_line(LineCursor& at, NodeType type, Reporter& report);

/// Reads the line from its `[`; `enabled` starts as `defaults`. Nothing (reported) without port or peer.
std::optional<PortLine> read_port_line(LineCursor& at, NodeType type,
                                       const std::optional<EnabledRates>& defaults, Reporter& report);

}  // namespace rch::fabric
