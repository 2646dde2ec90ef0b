#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {

// opensm-ftree-ca-order.dump, as OpenSM's osm_ucast_ftree.c writes it.
Result<void> dump_ca_order(const std::filesystem::path& path, const fabric::Fabric& fabric,
                           std::span<const PortId> order) {
  return write_pieces(path, order.size(), [&](std::size_t i, std::string& out) {
    if (order[i].is_none()) {
      out += "0xFFFF\tDUMMY\n";
      return;
    }
    const fabric::Port& port = fabric.port(order[i]);
    fmt::format_to(std::back_inserter(out), "0x{:04x}\t{}\n", port.lid,
                   printable(fabric.node(port.node).name()));
  });
}

}  // namespace rch::chains
