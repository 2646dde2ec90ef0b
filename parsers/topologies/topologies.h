#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::topologies {

/// One `topology` paragraph. A missing or unreadable part is absent and was reported.
struct Topology {
  Span span;  ///< its keyword
  std::optional<Number> id;
  std::optional<Token> sw_grp;
  std::optional<Token> hca_grp;
};

struct Syntax {
  std::vector<Topology> topologies;
};

/// Reads a topology policy file (config-files 3).
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::topologies
