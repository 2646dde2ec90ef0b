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
  std::vector<std::string> sources;
  for (const EndPort& source : fabric.end_ports())
    sources.push_back(fmt::format("{}", fabric.node(fabric.port(source.port).node).guid));
  return write_pieces(path, lids.size(), [&](std::size_t i, std::string& out) {
    std::vector<std::uint8_t> sls;
    fabric::path_sls_to(fabric, tables, lids[i], sls);
    const PortId self = *fabric.lid_owner(lids[i]);
    const std::string to = fmt::format(" {} ", lids[i]);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const EndPort& source = fabric.end_ports()[s];
      if (source.port == self) continue;
      out += sources[s];
      out += to;
      const std::uint8_t sl = sls[source.sw.index()];
      if (sl >= 10) out += '1';
      out += {static_cast<char>('0' + sl % 10), '\n'};
    }
  });
}

}  // namespace rch::chains
