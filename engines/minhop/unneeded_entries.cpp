#include "engines/minhop/unneeded_entries.h"

#include <cstdint>
#include <vector>

#include "fabric/aggregation_nodes.h"

namespace rch::engines::minhop {
namespace {

/// Switch that an entry leads to; none if it leads to no switch.
SwitchId next_switch(const fabric::Fabric& fabric, SwitchId sw, std::uint8_t entry) {
  if (entry == 0 || entry > fabric.node(sw).num_ports) return SwitchId::none();
  const PortId peer = fabric.port(fabric.port_id(sw, PortNum(entry))).peer;
  if (peer.is_none()) return SwitchId::none();
  return fabric.switch_id(fabric.port(peer).node).value_or(SwitchId::none());
}

class Remover {
 public:
  Remover(const fabric::Fabric& fabric, fabric::ForwardingTables& lfts)
      : fabric_(fabric), lfts_(lfts), nodes_(fabric), used_(fabric.switch_count(), 0) {}

  void run() {
    for (const SwitchId to : nodes_.bare_switches())
      for (const fabric::EndPort& end : fabric_.end_ports_of(to))
        for (std::uint32_t lid = end.lid.value;
             end.lid != kUnassignedLid && lid < end.lid.value + (1U << end.lmc); ++lid)
          remove(to, Lid(static_cast<std::uint16_t>(lid)));
  }

 private:
  void remove(SwitchId to, Lid lid) {
    ++round_;
    const fabric::ForwardingTables& entries = lfts_;
    for (std::uint32_t s = 0; s < used_.size(); ++s) {
      if (!nodes_.needs_path(SwitchId(s), to)) continue;
      for (SwitchId at(s); !at.is_none() && used_[at.index()] != round_;
           at = next_switch(fabric_, at, entries.at(at, lid)))
        used_[at.index()] = round_;
    }
    for (const SwitchId from : nodes_.bare_switches())
      if (used_[from.index()] != round_ && entries.at(from, lid) != kNoPath)
        lfts_.row(from)[lid.index()] = kNoPath;
  }

  const fabric::Fabric& fabric_;
  fabric::ForwardingTables& lfts_;
  const fabric::AggregationNodes nodes_;
  std::vector<std::uint32_t> used_;  ///< by switch: last LID to which a packet that is needed passes it
  std::uint32_t round_ = 0;
};

}  // namespace

void remove_unneeded_entries(const fabric::SubFabric& view, fabric::ForwardingTables& lfts) {
  if (view.is_whole()) Remover(view.fabric(), lfts).run();
}

}  // namespace rch::engines::minhop
