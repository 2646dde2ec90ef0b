#pragma once

#include <optional>
#include <vector>

#include "parsers/common/blocks.h"

namespace rch::parsers::topologies {

/// One `topology` paragraph. A missing or unreadable part is absent and was reported.
struct Topology : Block {
  std::optional<Number> id;
  std::optional<Token> sw_grp;
  std::optional<Token> hca_grp;
};

struct Syntax {
  std::vector<Topology> topologies;
};

/// Reads a topology policy file (docs/keywords.md).
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);
const BlockDialect& dialect();

}  // namespace rch::parsers::topologies
