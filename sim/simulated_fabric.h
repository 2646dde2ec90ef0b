#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "fabric/fabric.h"
#include "hw/attributes.h"
#include "hw/transport.h"
#include "sim/counting_port.h"

namespace rch::sim {

/// One SMP as its receiver sees it.
struct Visit {
  NodeId node;
  PortId arrival;  ///< port it came in by; a switch's port 0 for our own node
  hw::Method method = hw::Method::get;
  hw::Attribute attribute = hw::Attribute::node_info;
  std::uint32_t modifier = 0;
  hw::SmpData data{};
};

/// A fabric in memory behind the hw::Transport interface: agents that answer SMPs by the rules of the
/// architecture (port states rise one step at a time, a Set answers with what is stored, a wrong M_Key is
/// refused), on a clock of its
/// own that jumps to the deadline when nothing is under way. Starts unconfigured: no LIDs, links in INIT,
/// empty tables.
///
/// It is the way of one process. SimulatedPort is that of another one, at another port. SMInfo goes to the
/// process at a port that shows an SM, and waits there until that process receives. Datagrams of
/// subnet administration go between processes, too.
class SimulatedFabric : public hw::Transport {
 public:
  /// `origin`: the CA port we are attached to.
  SimulatedFabric(const fabric::Fabric& fabric, PortId origin);

  // What the agents hold; tests may write it.
  std::vector<hw::SmpData> node_info;    ///< by NodeId, without the local port
  std::vector<hw::SmpData> port_info;    ///< by PortId
  std::vector<hw::SmpData> switch_info;  ///< by SwitchId
  std::map<std::pair<SwitchId, std::uint32_t>, hw::SmpData> lft_blocks;
  std::map<std::tuple<NodeId, PortId, std::uint32_t>, hw::SmpData>
      sl2vl;                                                            ///< node, CA port or none, modifier
  std::map<std::pair<PortId, std::uint32_t>, hw::SmpData> arbitration;  ///< port, block 1 to 4
  std::map<PortId, hw::SmpData> rate_limits;
  std::map<PortId, hw::SmpData> extended_port_info;  ///< of ports that know it
  /// Adapters that have the vendor's attributes, but no rate limits.
  std::set<NodeId> without_rate_limits;
  std::map<std::pair<SwitchId, std::uint32_t>, hw::SmpData> multicast;  ///< switch, modifier
  std::map<std::pair<PortId, std::uint32_t>, hw::SmpData> pkeys;        ///< port, block
  std::map<std::pair<PortId, std::uint32_t>, hw::SmpData> guid_info;    ///< port, block
  std::map<PortId, hw::SmpData> sm_info;                                ///< of ports with a subnet manager

  std::vector<CountingPort> counting;                ///< by PortId
  std::vector<PerformanceAgent> performance_agents;  ///< by NodeId

  /// A request for counters, as its agent sees it.
  struct PerformanceVisit {
    PortId agent;
    hw::Method method = hw::Method::get;
    perfmgr::Attribute attribute{};
    PortNum selected{};
    bool is_answer = false;
  };
  std::vector<PerformanceVisit> performance_requests;
  std::function<bool(const PerformanceVisit&)> lose_performance = [](const PerformanceVisit&) {
    return false;
  };
  std::function<void(const PerformanceVisit&, hw::Mad& answer)> bend_performance = [](const PerformanceVisit&,
                                                                                      hw::Mad&) {};

  // What goes wrong; each is asked for every SMP.
  std::function<bool(const Visit&)> lose_request = [](const Visit&) { return false; };
  std::function<bool(const Visit&)> lose_answer = [](const Visit&) { return false; };
  std::function<bool(const Visit&)> refuse = [](const Visit&) { return false; };
  std::function<void(const Visit&, hw::SmpData& answer)> bend = [](const Visit&, hw::SmpData&) {};

  /// When an answer arrives, from now; several times: it arrives as often. None: at once.
  std::function<std::vector<hw::Milliseconds>(const Visit&)> delays = [](const Visit&) {
    return std::vector<hw::Milliseconds>();
  };

  /// A process at a port.
  struct Client {
    PortId origin;
    bool is_sm = false, takes_reports = false;
    std::deque<hw::Datagram> inbox{};
    std::multimap<hw::TimePoint, hw::Datagram> on_the_way{};  ///< by arrival
  };
  std::size_t attach(PortId origin);
  void post(std::size_t client, const hw::Datagram& datagram);
  void collect(std::size_t client, std::vector<hw::Datagram>& arrived, hw::Clock::time_point deadline);
  void show_sm(std::size_t client, bool shown);
  /// Reports to the port of the process are for it.
  void take_reports(std::size_t client) { clients_[client].takes_reports = true; }
  /// Takes the link of a port down or up again. The switches at its ends note the change; with `traps` they
  /// send a trap 128 to each subnet manager.
  void pull(PortId port, bool traps = true);
  void plug(PortId port, bool traps = true);
  /// A switch starts as it came from the factory; its links stay up.
  void reboot(SwitchId sw);
  std::size_t repressed = 0;       ///< traps
  std::size_t key_violations = 0;  ///< requests with a wrong M_Key that an agent refused
  /// The agent of a port sends a trap to each subnet manager.
  void send_notice(PortId from, const hw::SmpData& notice);
  PortId origin_of(std::size_t client) const { return clients_[client].origin; }
  bool nothing_arrived(std::size_t client) const {
    return clients_[client].inbox.empty() && next_arrival(client) > now_;
  }
  /// When a datagram that is on the way arrives; TimePoint::max() if there is none.
  hw::TimePoint next_arrival(std::size_t client) const {
    const auto& on_the_way = clients_[client].on_the_way;
    return on_the_way.empty() ? hw::TimePoint::max() : on_the_way.begin()->first;
  }
  /// For each SMP that arrives somewhere: the process that sent it.
  std::function<void(std::size_t client, const Visit&)> on_visit = [](std::size_t, const Visit&) {};

  /// A subnet manager asks the host of a port to register again with subnet administration.
  std::function<void(PortId)> on_client_reregister = [](PortId) {};

  /// For each Set that an agent has carried out.
  std::function<void(const Visit&)> after_set = [](const Visit&) {};
  /// Time passes without events.
  void pass_until(hw::TimePoint time) { now_ = std::max(now_, time); }

  // What was seen.
  std::vector<Visit> gets;
  std::vector<Visit> sets;
  bool is_sm = false;

  Result<void> send(const hw::Datagram& datagram, hw::Milliseconds timeout) override;
  void receive(std::vector<hw::Datagram>& arrived, hw::Clock::time_point deadline) override;
  Result<void> set_is_sm() override;
  hw::Clock::time_point now() const override { return now_; }

 private:
  bool walk(PortId origin, hw::Datagram& datagram, Visit& visit) const;
  PortId walk_path(PortId origin, hw::Mad& mad) const;
  PortId walk_tables(PortId origin, std::uint16_t lid) const;
  PortId next_hop(NodeId sw, std::uint16_t lid) const;
  PortId over_active_link(PortId port) const;
  bool deliver_to_manager(std::size_t sender, const hw::Datagram& datagram, const Visit& visit);
  void land(Client& client) const;
  void post_message(std::size_t sender, const hw::Datagram& datagram);
  void post_performance(std::size_t sender, const hw::Datagram& datagram);
  std::size_t receiver(const hw::Datagram& message, PortId at) const;
  std::uint16_t lid_of(std::size_t client) const;
  std::uint16_t answer(const Visit& visit, hw::SmpData& data);
  std::uint16_t port_info_answer(const Visit& visit, hw::SmpData& data);
  std::uint16_t set_state(PortId port, std::uint64_t state);
  void change_link(PortId port, std::uint64_t state, bool traps);
  void send_trap(SwitchId from);
  /// What an agent makes of the M_Key of a request (IBA 14.2.4).
  enum class KeyCheck : std::uint8_t { right, hide, drop };
  KeyCheck check_key(const Visit& visit, std::uint64_t offered);
  void send_key_violation(PortId agent, const Visit& visit, std::uint64_t offered);

  const fabric::Fabric& fabric_;
  std::deque<Client> clients_;
  hw::Clock::time_point now_{};
  std::map<PortId, hw::TimePoint> lease_ends_;  ///< of agents that saw a wrong M_Key
};

/// The way of a further process.
class SimulatedPort : public hw::Transport {
 public:
  SimulatedPort(SimulatedFabric& fabric, PortId origin) : fabric_(fabric), client_(fabric.attach(origin)) {}
  ~SimulatedPort() override { fabric_.show_sm(client_, false); }
  SimulatedPort(const SimulatedPort&) = delete;
  SimulatedPort& operator=(const SimulatedPort&) = delete;

  Result<void> send(const hw::Datagram& datagram, hw::Milliseconds) override {
    fabric_.post(client_, datagram);
    return {};
  }
  void receive(std::vector<hw::Datagram>& arrived, hw::Clock::time_point deadline) override {
    fabric_.collect(client_, arrived, deadline);
  }
  Result<void> set_is_sm() override {
    fabric_.show_sm(client_, true);
    return {};
  }
  hw::Clock::time_point now() const override { return fabric_.now(); }
  void take_reports() { fabric_.take_reports(client_); }
  bool nothing_arrived() const { return fabric_.nothing_arrived(client_); }
  hw::TimePoint next_arrival() const { return fabric_.next_arrival(client_); }

 private:
  SimulatedFabric& fabric_;
  std::size_t client_;
};

}  // namespace rch::sim
