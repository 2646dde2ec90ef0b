#include "engines/tree/unranked.h"

namespace rch::engines::tree {

void deliver_on_unranked(const Tree& tree, fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw(s);
    if (tree.is_ranked(sw)) continue;
    const auto row = lfts.row(sw);
    const auto deliver = [&](Lid base, std::uint8_t lmc, PortNum port) {
      if (base == kUnassignedLid) return;
      for (std::size_t bit = 0; bit < std::size_t{1} << lmc; ++bit) row[base.index() + bit] = port.value;
    };
    for (const fabric::EndPort& end : view.end_ports_of(sw)) deliver(end.lid, end.lmc, end.attach);
    const fabric::Port& port0 = view.fabric().port(view.fabric().port_id(view.fabric_switch(sw), PortNum(0)));
    deliver(view.switch_lid(sw), view.path_bit() ? std::uint8_t{0} : port0.lmc, PortNum(0));
  }
}

}  // namespace rch::engines::tree
