#include "verify/trace.h"

namespace rch::verify {
namespace {

/// Follows table entries alone, up to where they lead to no further switch or to one met before.
void follow(const fabric::ForwardingTables& lfts, const Wiring& wiring, const Source& source, Lid lid,
            Trace& way) {
  constexpr std::size_t kUnmet = static_cast<std::size_t>(-1);
  std::vector<std::size_t> met(wiring.switch_count(), kUnmet);
  SwitchId sw = source.sw;
  std::uint8_t in = source.attach.value;
  for (;;) {
    if (met[sw.index()] != kUnmet) {
      way.end = Trace::End::loop;
      way.loop = met[sw.index()];
      return;
    }
    met[sw.index()] = way.hops.size();
    const std::uint8_t out = entry(lfts, sw, lid);
    way.hops.push_back({sw, PortNum(in), PortNum(out), 0, source.port, lid, way.sl});
    const Exit& exit = wiring.exit(sw.index(), out);
    if (exit.kind != Exit::Kind::to_switch) return;
    sw = SwitchId(exit.to);
    in = exit.in;
  }
}

}  // namespace

Trace trace(const fabric::RoutingTables& tables, const Wiring& wiring, const Lanes& lanes,
            const Source& source, const Destination& destination, std::uint8_t sl) {
  Trace way;
  way.sl = sl;
  follow(tables.lfts, wiring, source, destination.lid, way);
  if ((lanes.unsendable(source.port, wiring.data_vls(source.port)) & sl_bit(sl)) != 0) {
    way.end = Trace::End::unsendable;
    return way;
  }
  const std::size_t straight = way.end == Trace::End::loop ? way.loop : way.hops.size();
  for (; way.taken < straight; ++way.taken) {
    Hop& hop = way.hops[way.taken];
    const bool home = destination.handed_over(hop.sw.index(), hop.out.value);
    if (home && destination.is_switch()) return way;
    if (!home && wiring.exit(hop.sw.index(), hop.out.value).kind != Exit::Kind::to_switch) {
      way.end = Trace::End::breaks_off;
      return way;
    }
    const LaneMap& map = lanes.at(hop.sw.index(), hop.in.index(), hop.out.index());
    hop.vl = map.vl[sl];
    if ((map.drops & sl_bit(sl)) != 0) {
      way.end = Trace::End::dropped;
      return way;
    }
  }
  return way;
}

}  // namespace rch::verify
