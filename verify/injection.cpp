#include "verify/injection.h"

namespace rch::verify {

Injection::Injection(const Wiring& wiring, const Lanes& lanes) {
  first_.reserve(wiring.slot_count() + 1);
  first_.push_back(0);
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
    for (unsigned out = 0; out <= wiring.num_ports(sw); ++out) {
      const std::size_t first = entries_.size();
      if (wiring.exit(sw, static_cast<std::uint8_t>(out)).kind == Exit::Kind::to_switch) {
        for (const Source& source : wiring.sources_of(sw))
          add(first, lanes.map_id(sw, source.attach.index(), out),
              lanes.unsendable(source.port, wiring.data_vls(sw, source.attach.value)));
        for (const PortNum in : wiring.entrances_of(sw)) add(first, lanes.map_id(sw, in.index(), out), 0);
      }
      first_.push_back(static_cast<std::uint32_t>(entries_.size()));
    }
}

void Injection::add(std::size_t first, std::uint16_t map, SlSet unsendable) {
  std::size_t at = first;
  while (at < entries_.size() && entries_[at].map != map) ++at;
  if (at == entries_.size()) entries_.push_back({map, 0, 0});
  entries_[at].sent = static_cast<SlSet>(entries_[at].sent | ~unsendable);
  entries_[at].unsent = static_cast<SlSet>(entries_[at].unsent | unsendable);
}

}  // namespace rch::verify
