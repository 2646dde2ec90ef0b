#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"
#include "parsers/ibdm/rate.h"

namespace rch::parsers::topo {

/// `L1/P1 -4x-5G-> MT23108 H-1 P1`: from a port of the section's system to a port of another.
struct Cable {
  Token port;
  ibdm::StatedRate rate;
  Token type;
  Token name;
  Token remote_port;
};

/// `leaf2=12x`: which variant of a board a system has.
struct Modifier {
  Token board;  ///< path from the top of the system, `a/b`
  Token value;
};

/// `TYPE NAME CFG: …` and the cable lines below it.
struct Section {
  Token type;
  Token name;
  std::vector<Modifier> cfg;
  Span cfg_span;  ///< empty without a CFG
  std::vector<Cable> cables;
  bool damaged = false;  ///< its first line could not be read: it has neither type nor name
};

/// A topology file (docs/ibdm.md), in file order. Names are not resolved.
struct Syntax {
  SourceId source;
  std::vector<Section> sections;
};

/// Reads the file; each bad line costs itself only.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::topo
