#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::side_files {

/// The files of GUIDs, ports and names beside the options (docs/side-files.md). Each function reads one shape
/// of file; a bad line costs itself only. Values are in file order, repeated ones included.

struct PlacedGuid {
  Guid guid;
  Span span;
};

/// What a line of a GUID list names. OpenSM takes GUIDs, NVIDIA SM port groups in their place too.
struct Subject {
  Token word;
  std::optional<Guid> guid;  ///< nothing: `word` is the name of a port group
};

/// `GUID`, `GROUP`, either followed by `RANK`.
struct Member {
  Subject subject;
  std::optional<Number> rank;
};
struct GuidListShape {
  bool groups = false;
  bool ranks = false;
};
std::vector<Member> parse_guid_list(const SourceSet& sources, SourceId source, const GuidListShape& shape,
                                    Diagnostics& diagnostics);

/// `GUID ID`.
struct NodeNumber {
  PlacedGuid node;
  Number id;
};
std::vector<NodeNumber> parse_guid_ids(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// `GUID PORT WEIGHT`.
struct PortWeight {
  PlacedGuid node;
  Number port, weight;
};
std::vector<PortWeight> parse_hop_weights(const SourceSet& sources, SourceId source,
                                          Diagnostics& diagnostics);

/// `GUID PORT…`, or a group in place of the GUID.
struct PortOrder {
  Subject subject;
  std::vector<Number> ports;  ///< each once
};
std::vector<PortOrder> parse_port_orders(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// `GUID PORT`.
struct IgnoredPort {
  PlacedGuid node;
  std::optional<Number> port;  ///< nothing: a bare GUID, reported
};
std::vector<IgnoredPort> parse_ignored_ports(const SourceSet& sources, SourceId source,
                                             Diagnostics& diagnostics);

/// `PREFIX GUID`, either may be `*`.
struct PrefixRoute {
  std::optional<Number> prefix;  ///< nothing: any
  std::optional<Number> router;  ///< nothing: the first router
  Span span;                     ///< of both words
};
std::vector<PrefixRoute> parse_prefix_routes(const SourceSet& sources, SourceId source,
                                             Diagnostics& diagnostics);

/// `GUID "text"`.
struct NodeName {
  PlacedGuid node;
  Token name;
};
std::vector<NodeName> parse_node_names(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// `file.c=FLAGS`.
struct ModuleFlags {
  Token file;
  Number flags;
};
std::vector<ModuleFlags> parse_module_logging(const SourceSet& sources, SourceId source,
                                              Diagnostics& diagnostics);

}  // namespace rch::parsers::side_files
