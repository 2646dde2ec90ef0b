#include "brute_force_choices.h"

#include <optional>

#include "verify/given_sls.h"

namespace rch::test {
namespace {

using verify::FindingKind;

constexpr unsigned kVlsOfCode[] = {0, 1, 2, 4, 8, 15};

/// All that may become of the packets of one pair.
class PairOfChoices {
 public:
  PairOfChoices(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                const verify::Options& options, PortId owner, Lid lid, std::uint8_t sl, BruteForce& result)
      : fabric_(fabric),
        tables_(tables),
        options_(options),
        owner_(owner),
        lid_(lid),
        sl_(sl),
        result_(result) {}

  std::optional<FindingKind> start(PortId source) {
    const auto& own_map = tables_.sl2vl.empty() ? fabric::kIdentitySl2Vl : tables_.sl2vl.end_port(source);
    if (!fits(own_map[sl_], source)) return FindingKind::dropped_by_vl;
    visit(fabric_.port(source).peer, std::nullopt);
    if (lost_) return FindingKind::unreachable;
    if (dropped_) return FindingKind::dropped_by_vl;
    if (loops_) return FindingKind::loop;
    return std::nullopt;
  }

 private:
  bool fits(unsigned vl, PortId port) const {
    unsigned count = kVlsOfCode[options_.max_op_vls];
    for (const PortId end : {port, fabric_.port(port).peer})
      if (fabric_.port(end).vl_cap != 0) count = std::min(count, kVlsOfCode[fabric_.port(end).vl_cap]);
    return vl < count;
  }

  void visit(PortId in, std::optional<Channel> before) {
    const SwitchId sw(fabric_.port(in).node.value);
    for (const SwitchId on_way : way_) loops_ = loops_ || on_way == sw;
    if (!met_.insert({in.value, before ? std::get<2>(*before) : 0}).second) return;
    way_.push_back(sw);
    for (const unsigned out : choices(fabric_, tables_, sw, lid_, packet_sls(tables_, options_, sl_)))
      take(in, before, sw, out);
    way_.pop_back();
  }

  void take(PortId in, std::optional<Channel> before, SwitchId sw, unsigned out) {
    if (out == 0 && owner_ == fabric_.port_id(sw, PortNum(0))) return;
    const bool is_port = out != 0 && out <= fabric_.node(sw).num_ports;
    const PortId port =
        is_port ? fabric_.port_id(sw, PortNum(static_cast<std::uint8_t>(out))) : PortId::none();
    if (!is_port || fabric_.port(port).peer.is_none()) {
      lost_ = true;
      return;
    }
    const PortId peer = fabric_.port(port).peer;
    const bool more = fabric_.is_switch(fabric_.port(peer).node);
    if (!more && peer != owner_) {
      lost_ = true;
      return;
    }
    const unsigned vl = tables_.vl(sw, fabric_.port(in).number, fabric_.port(port).number, sl_);
    if (!fits(vl, port)) {
      dropped_ = true;
      return;
    }
    if (!more) return;
    const Channel next{sw.value, out, vl};
    result_.channels.insert(next);
    if (before) result_.dependents[*before].insert(next);
    visit(peer, next);
  }

  const fabric::Fabric& fabric_;
  const fabric::RoutingTables& tables_;
  const verify::Options& options_;
  PortId owner_;
  Lid lid_;
  std::uint8_t sl_;
  BruteForce& result_;
  std::vector<SwitchId> way_;
  std::set<std::pair<std::uint32_t, unsigned>> met_;  ///< port by which packets come in, VL
  bool lost_ = false, dropped_ = false, loops_ = false;
};

void add_pair_of_choices(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                         const verify::Options& options, const fabric::EndPort& from, PortId to, Lid lid,
                         BruteForce& result) {
  const std::uint8_t sl = options.given != nullptr ? options.given->at(from.port, lid)
                                                   : fabric::path_sl(fabric, tables, from.sw, lid);
  ++result.pairs;
  const NodeId owner = fabric.port(to).node;
  const SwitchId at(fabric.is_switch(owner) ? owner.value : fabric.port(fabric.port(to).peer).node.value);
  if (const auto lost = PairOfChoices(fabric, tables, options, to, lid, sl, result).start(from.port))
    ++result.lost[joined(fabric, from.sw, at) ? *lost : FindingKind::disconnected];
}

bool leads_on(const fabric::Fabric& fabric, SwitchId sw, unsigned port) {
  if (port == 0) return true;
  return port <= fabric.node(sw).num_ports &&
         !fabric.port(fabric.port_id(sw, PortNum(static_cast<std::uint8_t>(port)))).peer.is_none();
}

}  // namespace

std::uint16_t packet_sls(const fabric::RoutingTables& tables, const verify::Options& options,
                         std::uint8_t sl) {
  const bool any = options.given == nullptr && options.path_sls && fabric::common_path_sl(tables);
  return any ? 0xFFFF : static_cast<std::uint16_t>(1U << sl);
}

std::set<unsigned> choices(const fabric::Fabric& fabric, const fabric::RoutingTables& tables, SwitchId sw,
                           Lid lid, std::uint16_t sls) {
  std::set<unsigned> ports{tables.lfts.at(sw, lid)};
  const fabric::AdaptiveSwitch& at = tables.adaptive.at(sw);
  const fabric::PortGroup* const group = tables.adaptive.group(sw, lid);
  const bool counts =
      group != nullptr && (at.fast_recovery || (at.enabled && !group->is_static && (at.sls & sls) != 0));
  if (!counts) return ports;
  for (unsigned port = 0; port < 256; ++port)
    if (group->ports.contains(static_cast<std::uint8_t>(port))) ports.insert(port);
  if (!at.fast_recovery) return ports;
  std::set<unsigned> alive;
  for (const unsigned port : ports)
    if (leads_on(fabric, sw, port)) alive.insert(port);
  return alive.empty() ? ports : alive;
}

BruteForce brute_force_choices(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                               const verify::Options& options) {
  BruteForce result;
  for (const fabric::EndPort& to : fabric.end_ports())
    for (const fabric::EndPort& from : fabric.end_ports())
      for (unsigned k = 0; k < 1U << to.lmc && from.port != to.port; ++k)
        add_pair_of_choices(fabric, tables, options, from, to.port,
                            Lid(static_cast<std::uint16_t>(to.lid.value + k)), result);
  return result;
}

void brute_force_choices_to_switches(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                                     const verify::Options& options, BruteForce& result) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (const fabric::EndPort& from : fabric.end_ports()) {
      const PortId to = fabric.port_id(SwitchId(s), PortNum(0));
      add_pair_of_choices(fabric, tables, options, from, to, fabric.port(to).lid, result);
    }
}

}  // namespace rch::test
