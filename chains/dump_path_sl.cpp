#include <iterator>

#include "chains/dump_set.h"
#include "fabric/routing_tables.h"

namespace rch::chains {
namespace {

using fabric::EndPort;

/// LIDs of CA and router ports, in ascending order.
std::vector<Lid> host_lids(const fabric::Fabric& fabric) {
  std::vector<Lid> result;
  const std::vector<LidOwner> owners = lid_owners(fabric);
  for (std::size_t lid = 1; lid < owners.size(); ++lid)
    if (!owners[lid].sw.is_none() && !owners[lid].is_switch())
      result.push_back(Lid(static_cast<std::uint16_t>(lid)));
  return result;
}

}  // namespace

// Path SLs as `ibdmchk -c` reads them (dump-files 4.6, form 1): source node, destination LID, SL. They are
// grouped by destination, because that is how paths are followed.
Result<void> dump_path_sls(const std::filesystem::path& path, const fabric::Fabric& fabric,
                           const fabric::RoutingTables& tables) {
  const std::vector<Lid> lids = host_lids(fabric);
  return write_pieces(path, lids.size(), [&](std::size_t i, std::string& out) {
    std::vector<std::uint8_t> sls;
    fabric::path_sls_to(fabric, tables, lids[i], sls);
    const PortId self = *fabric.lid_owner(lids[i]);
    for (const EndPort& source : fabric.end_ports())
      if (source.port != self)
        fmt::format_to(std::back_inserter(out), "{} {} {}\n", fabric.node(fabric.port(source.port).node).guid,
                       lids[i], sls[source.sw.index()]);
  });
}

}  // namespace rch::chains
