#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "fabric/fabric.h"

namespace rch::fabric {

/// Topology file forms, recognised by content.
enum class Format { db_csv, ibnetdiscover, ibdiagnet_lst, subnet_lst, smdb, net_dump, snapshot, unknown };

Format recognise(std::string_view content);
/// Whether ibdiagnet wrote this line of a list of links: it names each link once, VenIDs have eight digits.
bool is_ibdiagnet_line(std::string_view line);
std::string_view to_string(Format format);

/// Reads a fabric of any form. Nothing if there was an error; every problem is in `diagnostics`. Hides the
/// M_Keys of the text.
std::optional<Fabric> read_fabric(SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// Tables of ibdiagnet 2 (`ibdiagnet2.db_csv`), or NVIDIA SM's `opensm-smdb.dump`, which has the same form.
/// All of the text that no finding may quote is hidden first: M_Keys, and whatever could be one.
std::optional<Fabric> read_db_csv(SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// ibdiagnet 2's list of switches and their neighbours (`ibdiagnet2.net_dump`).
std::optional<Fabric> read_net_dump(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// ibnetdiscover text in all the forms that ibnetdiscover and ibsim use (ibnetdiscover(8) and ibsim's
/// sim_net.c).
std::optional<Fabric> read_ibnetdiscover(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// opensm-subnet.lst (OpenSM's osm_dump.c) and the list of ibdiagnet, which names each link once.
std::optional<Fabric> read_subnet_lst(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

/// ibnetdiscover text that ibsim accepts without a warning and that reads back to the same fabric.
void write_ibnetdiscover(const Fabric& fabric, std::ostream& out);

/// The sections NODES, PORTS, SWITCHES and LINKS of a db_csv, and PORT_HIERARCHY_INFO if ports have labels.
/// Reads back to the same fabric, but for names of a node-name map.
void write_db_csv(const Fabric& fabric, std::ostream& out);

/// rch's own snapshot: everything a Fabric holds, exact.
std::string write_snapshot(const Fabric& fabric);
/// Fails (usage) on a truncated or foreign file.
Result<Fabric> read_snapshot(std::string_view content);

}  // namespace rch::fabric
