#pragma once

#include <optional>
#include <string_view>

#include "base/diagnostic.h"
#include "fabric/fabric.h"
#include "parsers/ibdm/library.h"

namespace rch::parsers::ibdm {

/// True for text that reads as a topology file: a line holds an arrow behind its first word, and none begins
/// like an IBNL file; or every line names a system.
bool is_topo(std::string_view text);

/// Reads a topology file as the fabric it describes (docs/ibdm.md). Nothing if there was an error; every
/// problem is in `diagnostics`.
///
/// Nodes are called what IBDM calls them (`SYSTEM/board/U1`), but a channel adapter `HOST/U1` is described as
/// `HOST HCA-1`, as the adapter itself would. Neither LIDs nor GUIDs are part of these files, and IBDM leaves
/// GUIDs 0; here they follow from the names alone, so that other systems in the file do not change them: a
/// node has 0x02, 48 bits of a hash of its name, and 00; its port p adds p. GUIDs that begin with 0x02 are
/// locally administered: no device has one.
std::optional<fabric::Fabric> read_topo(const SourceSet& sources, SourceId topo, const Library& library,
                                        Diagnostics& diagnostics);

}  // namespace rch::parsers::ibdm
