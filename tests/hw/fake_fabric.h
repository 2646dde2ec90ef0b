#pragma once

#include <deque>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "fabric/fabric.h"
#include "hw/attributes.h"
#include "hw/transport.h"

namespace rch::hw::test {

/// One SMP as its receiver sees it.
struct Visit {
  NodeId node;
  PortId arrival;  ///< port it came in by; a switch's port 0 for our own node
  Method method = Method::get;
  Attribute attribute = Attribute::node_info;
  std::uint32_t modifier = 0;
  SmpData data{};
};

/// A fabric in memory behind the Transport interface: agents that answer directed-route SMPs by the rules of
/// the architecture (port states rise one step at a time, a Set answers with what is stored), on a clock of
/// its own that jumps to the deadline when nothing is under way. Starts unconfigured: no LIDs, links in INIT,
/// empty tables.
class FakeFabric : public Transport {
 public:
  /// `origin`: the CA port we are attached to.
  FakeFabric(const fabric::Fabric& fabric, PortId origin);

  // What the agents hold; tests may write it.
  std::vector<SmpData> node_info;    ///< by NodeId, without the local port
  std::vector<SmpData> port_info;    ///< by PortId
  std::vector<SmpData> switch_info;  ///< by SwitchId
  std::map<std::pair<SwitchId, std::uint32_t>, SmpData> lft_blocks;
  std::map<std::tuple<NodeId, PortId, std::uint32_t>, SmpData> sl2vl;  ///< node, CA port or none, modifier
  std::map<std::pair<PortId, std::uint32_t>, SmpData> arbitration;     ///< port, block 1 to 4
  std::map<std::pair<SwitchId, std::uint32_t>, SmpData> multicast;     ///< switch, modifier
  std::map<PortId, SmpData> sm_info;                                   ///< of ports with a subnet manager

  // What goes wrong; each is asked for every SMP.
  std::function<bool(const Visit&)> lose_request = [](const Visit&) { return false; };
  std::function<bool(const Visit&)> lose_answer = [](const Visit&) { return false; };
  std::function<void(const Visit&, SmpData& answer)> bend = [](const Visit&, SmpData&) {};

  // What was seen.
  std::vector<Visit> gets;
  std::vector<Visit> sets;
  bool is_sm = false;

  Result<void> send(const Datagram& datagram, Milliseconds timeout) override;
  void receive(std::vector<Datagram>& arrived, Clock::time_point deadline) override;
  Result<void> set_is_sm() override;
  Clock::time_point now() const override { return now_; }

 private:
  bool walk(const Mad& mad, Visit& visit) const;
  std::uint16_t answer(const Visit& visit, SmpData& data);
  std::uint16_t port_info_answer(const Visit& visit, SmpData& data);
  std::uint16_t set_state(PortId port, std::uint64_t state);

  const fabric::Fabric& fabric_;
  PortId origin_;
  std::deque<Datagram> answers_;
  Clock::time_point now_{};
};

}  // namespace rch::hw::test
