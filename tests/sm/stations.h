#pragma once

// Managers that stay, on a fabric in memory and a clock that jumps to the next deadline.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/driver.h"
#include "sm/manager.h"
#include "sm/managers.h"
#include "support/small_fabrics.h"

namespace rch::sm::test {

namespace pi = hw::port_info;
using hw::Attribute;
using hw::SmState;
using sim::Visit;
using std::chrono::milliseconds;

/// A host with a manager, and what it told.
struct Station {
  Station(sim::SimulatedFabric& fabric, PortId origin, const ManagerSettings& settings, Replanner planner,
          const hw::SmpOptions& requests = {})
      : port(fabric, origin),
        driver(port, requests),
        manager(driver, std::move(planner), settings,
                {.manager = [this](const ManagerEvent& event) { note(event); }, .chains = {}}),
        task(manager.run()) {
    task.start();
  }
  void note(const ManagerEvent& event) {
    if (std::holds_alternative<TrapReceived>(event))
      told.emplace_back(fmt::format("trap {}", std::get<TrapReceived>(event).from));
    if (const auto* sweep = std::get_if<SweepBegan>(&event)) told.emplace_back(sweep->reason);
    if (std::holds_alternative<LidsNotKept>(event)) told.emplace_back("LIDs not kept");
    if (const auto* degraded = std::get_if<Degraded>(&event))
      told.push_back("degraded: " + degraded->error.message);
    if (const auto* many = std::get_if<TooManyRequests>(&event))
      told.push_back(fmt::format("{} refused", many->refused.count));
    if (const auto* up = std::get_if<SubnetUp>(&event)) {
      told.emplace_back("subnet up");
      report = up->installed.report;
    }
    if (const auto* other = std::get_if<ManagerNotAllowed>(&event))
      told.push_back(fmt::format("{} is not allowed", other->guid));
    if (std::holds_alternative<KnownSaKey>(event)) told.emplace_back("known sa_key");
    if (std::holds_alternative<FollowsMaster>(event)) told.emplace_back("follows");
    if (const auto* missed = std::get_if<PollsMissed>(&event))
      told.push_back(missed->polls == 0 ? "answers again" : fmt::format("{} missed", missed->polls));
    if (const auto* changed = std::get_if<StateChanged>(&event)) reasons.push_back(changed->why);
    if (std::holds_alternative<FollowsNoMore>(event)) told.emplace_back("follows no more");
    if (const auto* changed = std::get_if<HealthChanged>(&event))
      told.push_back(fmt::format("{}: {}{}", changed->is_over ? "healthy" : "unhealthy",
                                 name_of(changed->part.condition), changed->part.spared ? ", spared" : ""));
    if (const auto* other = std::get_if<OtherConfiguration>(&event))
      told.push_back(other->accepted ? "other configuration, accepted" : "other configuration");
    if (const auto* took = std::get_if<TookOver>(&event))
      told.push_back(took->followed.whole ? "took over" : "took over, in part");
    if (const auto* found = std::get_if<TablesFound>(&event))
      told.push_back(fmt::format("found{}{}", found->adoption.objection.empty() ? ", proven" : "",
                                 found->adopted ? ", adopted" : ""));
  }
  SmState state() const { return manager.status().state; }

  sim::SimulatedPort port;
  hw::Driver driver;
  Manager manager;
  hw::Task<Result<void>> task;
  bool stopped = false;  ///< the process stands still; what comes waits for it
  std::vector<std::string> told;
  std::vector<std::string> reasons;  ///< of changes of the state
  hw::CommitReport report;           ///< of the last installation
};

/// Managers on a small fabric.
class StationsTest : public testing::Test {
 protected:
  PortId host(std::size_t h) const { return fabric.end_ports()[h].port; }
  /// `adopt`: what is found is judged, and adopted or not.
  Station& add(std::size_t h, std::uint8_t priority = 0, bool high = false,
               std::optional<bool> adopt = std::nullopt) {
    const auto planner = [this, high](const fabric::Fabric& live,
                                      const Known& known) -> Result<chains::Plan> {
      ++plans;
      balancings += known.balances;
      joined = known.joined.groups;
      keeps = known.installed == nullptr ? decltype(keeps)() : known.installed->tables;
      if (known.repairs && heals) return *known.installed;
      if (refused) return fail(ErrorKind::unroutable, "no engine routes this");
      chains::Plan made = plan_by_ports(live, high);
      made.options.manager = manager_options;
      return made;
    };
    ManagerSettings settings{.install = {.manager = {.sm_priority = priority,
                                                     .master_sm_priority = as_master,
                                                     .inactive = manager_options.sm_inactive,
                                                     .poll_every = poll_every,
                                                     .allowed_sms = allowed}}};
    settings.adopt = adopt.value_or(false);
    settings.always_whole = heavy;
    settings.heals = heals;
    settings.standby = standby_options;
    settings.performance = performance;
    settings.health = health;
    settings.cables = cables;
    settings.balance_after = balance_after;
    if (adopt)
      settings.judge = [](const fabric::Fabric& live, chains::FoundTables found) {
        return chains::judge_found({}, live, std::move(found), {});
      };
    const hw::SmpOptions requests{.keys = {.own = {manager_options.m_key}}, .sets_follow = true};
    stations.push_back(std::make_unique<Station>(fake, host(h), settings, planner, requests));
    return *stations.back();
  }
  /// Runs all of them until `done`. Returns false when `most` has passed without.
  bool run(const std::function<bool()>& done, milliseconds most = std::chrono::minutes{5}) {
    for (const auto end = fake.now() + most; fake.now() < end;) {
      for (const auto& station : stations)
        if (!station->stopped) station->driver.carry_out();
      if (done()) return true;
      bool arrived = false;
      for (const auto& station : stations) {
        if (station->stopped || station->port.nothing_arrived()) continue;
        station->driver.receive();
        arrived = true;
      }
      if (!arrived) next_deadline().driver.receive();
    }
    return false;
  }
  /// Keeps what hosts register, as a disk does.
  static auto keep_in(std::string& journal) {
    return [&journal](const hw::Keeping& keeping) {
      journal = keeping.afresh ? keeping.bytes : journal + keeping.bytes;
      return Result<void>();
    };
  }
  /// What all of them told, for messages.
  std::string told() const {
    std::string all;
    for (const auto& station : stations) all += fmt::format("{}\n", fmt::join(station->told, "; "));
    return all;
  }
  Station& next_deadline() {
    return **std::ranges::min_element(
        stations, {}, [](const auto& s) { return s->stopped ? hw::TimePoint::max() : s->driver.deadline(); });
  }
  bool run_for(milliseconds span) {
    run([] { return false; }, span);
    return true;
  }
  bool bring_up(Station& station) {
    return run([&] { return station.state() == SmState::master && station.manager.status().proven; });
  }
  /// Every pair of hosts, by the tables that the switches hold.
  std::size_t unreachable_pairs() {
    return unreachable_pairs([](PortId) { return true; });
  }
  /// Pairs of the hosts that `counts` names.
  std::size_t unreachable_pairs(const std::function<bool(PortId)>& counts) {
    const auto is_host = [&](PortId port) {
      return !fabric.is_switch(fabric.port(port).node) && counts(port);
    };
    std::size_t lost = 0;
    for (const auto& from : fabric.end_ports())
      for (const auto& to : fabric.end_ports())
        if (is_host(from.port) && is_host(to.port) && !reaches(from.port, to.port)) ++lost;
    return lost;
  }
  bool reaches(PortId from, PortId to) {
    const auto lid = static_cast<std::uint16_t>(get(fake.port_info[to.index()], pi::kLid));
    if (lid == 0) return false;
    PortId at = from;
    for (int hops = 0; hops < 16 && at != to; ++hops) {
      PortId out = at;
      if (const NodeId node = fabric.port(at).node; fabric.is_switch(node)) {
        const auto block = fake.lft_blocks.find({SwitchId(node.value), lid / 64U});
        if (block == fake.lft_blocks.end()) return false;
        const std::uint8_t exit = block->second[lid % 64U];
        if (exit == 0 || exit > fabric.node(node).num_ports) return false;
        out = fabric.port_id(node, PortNum(exit));
      }
      if (get(fake.port_info[out.index()], pi::kState) != 4) return false;
      at = fabric.port(out).peer;
      if (at.is_none()) return false;
    }
    return at == to;
  }
  /// A cable between two switches.
  PortId cable() const {
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p)
      if (const fabric::Port& port = fabric.port(PortId(p)); !port.peer.is_none() &&
                                                             fabric.is_switch(port.node) &&
                                                             fabric.is_switch(fabric.port(port.peer).node))
        return PortId(p);
    return PortId::none();
  }

  const fabric::Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  sim::SimulatedFabric fake{fabric, fabric.end_ports()[0].port};
  std::vector<std::unique_ptr<Station>> stations;
  std::size_t plans = 0;
  std::vector<chains::JoinedGroup> joined;             ///< as the last plan knew them
  std::shared_ptr<const fabric::RoutingTables> keeps;  ///< whose routes the last plan was to keep
  bool refused = false;
  bool heals = false;          ///< a repair of the installed plan is that plan
  std::vector<Guid> allowed;   ///< subnet managers, for the next station
  std::uint8_t as_master = 0;  ///< priority of a master
  bool heavy = false;
  perfmgr::Settings performance;                      ///< for the next station
  HealthSettings health;                              ///< likewise
  std::shared_ptr<const fabric::CablePolicy> cables;  ///< likewise
  std::optional<std::chrono::seconds> balance_after;
  std::size_t balancings = 0;  ///< plans that may balance loads
  policy::ManagerOptions manager_options;
  StandbyOptions standby_options{.configuration = 7, .sa_key = 1};
  milliseconds poll_every{10000};  ///< of a manager that stands by
};

/// A request of a host, as it arrives.
inline hw::Datagram request_of(Lid from, sa::Method method, sa::Attribute attribute) {
  namespace h = hw::mad_header;
  hw::Datagram datagram{.lid = from.value, .queue_pair = 1};
  set(datagram.mad, h::kBaseVersion, 1);
  set(datagram.mad, h::kClass, 3);
  set(datagram.mad, h::kClassVersion, sa::kClassVersion);
  set(datagram.mad, h::kMethod, static_cast<std::uint64_t>(method));
  set(datagram.mad, h::kAttribute, static_cast<std::uint64_t>(attribute));
  return datagram;
}

/// The port joins a group, whose MGID ends with `group`.
inline hw::Datagram join_of(const fabric::Port& port, std::uint8_t group) {
  hw::Datagram join = request_of(port.lid, sa::Method::set, sa::Attribute::mc_member_record);
  // MGID, PortGID, Q_Key, TClass, P_Key, SL, flow label, JoinState.
  set(join.mad, sa::header::kComponentMask, 0b1'0011'0000'1100'0111);
  const std::span<std::uint8_t> record = std::span(join.mad).subspan(sa::header::kData);
  const sa::Gid mgid{0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, group};
  std::ranges::copy(mgid, record.begin());
  std::ranges::copy(sa::make_gid(sa::kLinkLocalPrefix, port.guid), record.begin() + 16);
  set(record, hw::Field{40, 0, 16}, 0xFFFF);
  set(record, hw::Field{48, 4, 4}, 1);
  return join;
}

/// Ports that are told to register again.
class Reregistrations {
 public:
  explicit Reregistrations(sim::SimulatedFabric& fabric) {
    fabric.after_set = [this](const Visit& visit) {
      if (visit.attribute == Attribute::port_info && get(visit.data, pi::kClientReregister) != 0) ++count_;
    };
  }
  std::size_t take() { return std::exchange(count_, 0); }

 private:
  std::size_t count_ = 0;
};

}  // namespace rch::sm::test
