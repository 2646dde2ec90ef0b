#pragma once

#include <optional>
#include <vector>

#include "parsers/common/blocks.h"

namespace rch::parsers::routing_chains {

/// `path-bit: 1`, or the form `0-1` of NVIDIA's header.
struct PathBits {
  std::uint64_t low = 0, high = 0;
  Span span;
};

/// One `unicast-step` paragraph. A missing or unreadable part is absent; if it is mandatory that was
/// reported.
struct Step : Block {
  std::optional<Number> id;
  std::optional<Token> engine;
  std::optional<Token> use;
  std::optional<Token> config;  ///< path as written
  std::optional<Number> topology;
  std::optional<Number> fallback_to;
  std::optional<PathBits> path_bit;
};

struct Syntax {
  std::vector<Step> steps;
};

/// Reads a routing chain policy file (docs/keywords.md).
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);
const BlockDialect& dialect();

}  // namespace rch::parsers::routing_chains
