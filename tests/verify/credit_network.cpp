#include "credit_network.h"

#include <algorithm>
#include <array>

namespace rch::test {
namespace {

constexpr std::uint32_t kLanesOfPort = 16;

unsigned vls_of(std::uint8_t code) {
  constexpr std::array<unsigned, 6> kVlsOfNetwork{15, 1, 2, 4, 8, 15};
  return kVlsOfNetwork[code < kVlsOfNetwork.size() ? code : 0];
}

}  // namespace

CreditNetwork::CreditNetwork(const fabric::Fabric& fabric, const fabric::RoutingTables& tables,
                             std::uint8_t max_op_vls, std::vector<Flow> flows, std::uint64_t seed)
    : fabric_(fabric),
      tables_(tables),
      max_op_vls_(max_op_vls),
      flows_(std::move(flows)),
      random_(seed),
      flow_in_(fabric.ports().size() * kLanesOfPort, kFree) {}

void CreditNetwork::run(std::size_t moves) {
  for (std::size_t i = 0; i < moves; ++i) {
    if (!flows_.empty() && (buffers_.empty() || below(2) == 0))
      start(below(flows_.size()));
    else if (!buffers_.empty())
      move(buffers_[below(buffers_.size())]);
  }
}

void CreditNetwork::start(std::uint32_t flow) {
  const PortId entrance = fabric_.port(flows_[flow].source).peer;
  const std::uint8_t sl = flows_[flow].sl;
  const std::uint8_t vl =
      tables_.sl2vl.empty() ? fabric::kIdentitySl2Vl[sl] : tables_.sl2vl.end_port(flows_[flow].source)[sl];
  if (vl >= data_vls(flows_[flow].source, entrance)) return;
  const std::uint32_t buffer = entrance.value * kLanesOfPort + vl;
  if (flow_in_[buffer] != kFree) return;
  flow_in_[buffer] = flow;
  if (std::ranges::find(buffers_, buffer) == buffers_.end()) buffers_.push_back(buffer);
}

std::uint32_t CreditNetwork::asked_by(std::uint32_t buffer) const {
  const Flow& flow = flows_[flow_in_[buffer]];
  const fabric::Port& in = fabric_.port(PortId(buffer / kLanesOfPort));
  const SwitchId sw = *fabric_.switch_id(in.node);
  const PortNum out(tables_.lfts.at(sw, flow.destination));
  if (out == PortNum(0) || out.value > fabric_.node(sw).num_ports) return kGone;
  const PortId port = fabric_.port_id(sw, out), peer = fabric_.port(port).peer;
  if (peer.is_none() || !fabric_.is_switch(fabric_.port(peer).node)) return kGone;
  const std::uint8_t vl = tables_.vl(sw, in.number, out, flow.sl);
  return vl < data_vls(port, peer) ? peer.value * kLanesOfPort + vl : kGone;
}

unsigned CreditNetwork::data_vls(PortId one, PortId other) const {
  return std::min({vls_of(max_op_vls_), vls_of(fabric_.port(one).vl_cap), vls_of(fabric_.port(other).vl_cap)});
}

void CreditNetwork::move(std::uint32_t buffer) {
  if (flow_in_[buffer] == kFree) return;
  const std::uint32_t next = asked_by(buffer);
  if (next == kGone) {
    flow_in_[buffer] = kFree;
    ++delivered_;
    return;
  }
  if (flow_in_[next] != kFree) return;
  flow_in_[next] = std::exchange(flow_in_[buffer], kFree);
  if (std::ranges::find(buffers_, next) == buffers_.end()) buffers_.push_back(next);
}

bool CreditNetwork::is_deadlocked() const {
  for (const std::uint32_t first : buffers_) {
    std::uint32_t at = first;
    for (std::size_t i = 0; i <= buffers_.size() && at != kGone && flow_in_[at] != kFree; ++i) {
      at = asked_by(at);
      if (at == first) return true;
    }
  }
  return false;
}

}  // namespace rch::test
