#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"
#include "parsers/ibdm/rate.h"

namespace rch::parsers::ibnl {

/// A line below a NODE or SUBSYSTEM: `13 -12x-5G-> UP1` or `UP1 -> leaf2 UP1`.
struct Connection {
  Token port;               ///< a number on a NODE, a name on a SUBSYSTEM
  std::uint8_t number = 0;  ///< of a NODE's port
  ibdm::StatedRate rate;
  Token peer;                      ///< the other NODE or SUBSYSTEM, or the front panel port
  std::optional<Token> peer_port;  ///< absent: `peer` is a front panel port
  std::uint8_t peer_number = 0;    ///< of a NODE's peer port
};

/// One `BOARD=MODIFIER` of a `CFG:` line.
struct Modifier {
  Token board;
  Token value;
};

enum class InstanceKind { sw, ca, board };

/// `NODE SW 24 MT47396 U1` or `SUBSYSTEM LEAF leaf1`, with the lines below it.
struct Instance {
  InstanceKind kind = InstanceKind::sw;
  Token name;
  Token type;              ///< device of a NODE, SYSTEM of a SUBSYSTEM
  std::uint8_t ports = 0;  ///< of a NODE; 0 when what stands there was reported
  std::vector<Modifier> cfg;
  std::vector<Connection> connections;

  bool is_board() const { return kind == InstanceKind::board; }
};

/// `spine1/U1=isChaBma`, below TOPSYSTEM.
struct Attribute {
  Token path;
  Token key;
  std::optional<Token> value;
};

/// A SYSTEM (a board) or the TOPSYSTEM. Several names mean the same.
struct System {
  bool top = false;
  std::vector<Token> names;
  std::vector<Attribute> attributes;
  std::vector<Instance> instances;
  bool damaged = false;  ///< a line was lost to a reported mistake: there may be more ports than can be seen
};

/// One IBNL file (docs/ibdm.md). Names are not resolved.
struct Syntax {
  SourceId source;
  std::vector<System> systems;
  bool damaged = false;  ///< a line was lost that may have been a heading
};

/// Reads the file; each bad line costs itself only.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::ibnl
