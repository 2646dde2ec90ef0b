#include "base/parallel.h"
#include "chains/dump_set.h"
#include "chains/dumps.h"
#include "fabric/routing_tables.h"

namespace rch::chains {
namespace {

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

// Path SLs as `ibdmchk -c` reads them (ibdmchk(1)): a header with the source's port GUID, then
// LIDs with their SLs. Form 1 names nodes, of which two ports may need two SLs; it is twice as long besides.
Result<void> dump_path_sls(const std::filesystem::path& folder, const fabric::Fabric& fabric,
                           const fabric::RoutingTables& tables) {
  const std::vector<Lid> lids = host_lids(fabric);
  std::vector<std::vector<std::uint8_t>> sls(lids.size());  // by LID, then switch
  parallel_ranges(lids.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fabric::path_sls_to(fabric, tables, lids[i], sls[i]);
  });
  const auto sources = fabric.end_ports();
  return write_pieces(folder / "path-sl.dump", sources.size(), [&](std::size_t s, std::string& out) {
    const fabric::Port& port = fabric.port(sources[s].port);
    out += fmt::format("Channel Adapter {}, base LID {}, port {}\n", port.guid, port.lid, port.number);
    for (std::size_t i = 0; i < lids.size(); ++i)
      if (*fabric.lid_owner(lids[i]) != sources[s].port)
        out += fmt::format("0x{:04x} : {}\n", lids[i].value, sls[i][sources[s].sw.index()]);
  });
}

}  // namespace rch::chains
