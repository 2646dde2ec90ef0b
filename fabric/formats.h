#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// Topology file forms, recognised by content.
enum class Format { ibnetdiscover, subnet_lst, snapshot, unknown };

Format recognise(std::string_view content);
std::string_view to_string(Format format);

/// Reads a fabric of any form. Nothing if there was an error; every problem is in `diagnostics`.
std::optional<Fabric> read_fabric(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// ibnetdiscover text in all the forms that ibnetdiscover and ibsim use (ibnetdiscover(8) and ibsim's
/// sim_net.c).
std::optional<Fabric> read_ibnetdiscover(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// opensm-subnet.lst (OpenSM's osm_dump.c).
std::optional<Fabric> read_subnet_lst(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// ibnetdiscover text that ibsim accepts without a warning and that reads back to the same fabric.
void write_ibnetdiscover(const Fabric& fabric, std::ostream& out);

/// rch's own snapshot: everything a Fabric holds, exact.
std::string write_snapshot(const Fabric& fabric);
/// Fails (usage) on a truncated or foreign file.
Result<Fabric> read_snapshot(std::string_view content);

}  // namespace rch::fabric
