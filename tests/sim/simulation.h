#pragma once

// One run of managers on a fabric in memory while things go wrong. Fabric, configuration, faults and the
// order of events come from one seed; the same seed gives the same run.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fabric/random.h"
#include "hw/driver.h"
#include "policy/model/policy.h"
#include "sim/counting.h"
#include "sim/hosts.h"
#include "sim/simulated_fabric.h"
#include "sim/tenants.h"
#include "sim/traffic.h"
#include "sm/manager.h"

namespace rch::sim::test {

/// What one run did and found.
struct Outcome {
  std::string fault;  ///< what must not be; empty if all went well
  std::size_t writes = 0, sweeps = 0, plans = 0, faults_injected = 0;
  Host::Counters hosts{};
};

/// What goes wrong besides.
struct Faults {
  bool mute = false;      ///< agents fall silent
  bool keys = false;      ///< ports protect themselves with M_Keys of their own
  bool errors = false;    ///< links bounce, ports send error traps, and such parts are left out for a time
  bool equipped = false;  ///< fabrics are fat trees with enhanced ports 0, hosts on spines and the like
  bool tori = false;      ///< fabrics are tori and meshes, routed by torus-2QoS and dor
  bool told = false;      ///< every second host registers with another manager only when it is told to
  bool tenants = false;   ///< hosts move between partitions, and start again
};

class Simulation {
 public:
  /// With `verbose` every event is printed.
  Simulation(std::uint64_t seed, bool verbose, const Faults& faults = {});
  ~Simulation();

  Outcome run();

 private:
  struct Process;
  /// What a host keeps while no manager runs.
  struct Disk {
    enum class Fault : std::uint8_t { none, full, torn };
    Result<void> write(std::string& file, std::string content, fabric::Random& draw) const;
    /// What hosts registered.
    Result<void> keep(const hw::Keeping& keeping, fabric::Random& draw);

    std::string plan{}, lids{}, journal{}, cables{};
    Fault fault = Fault::none;
  };

  void draw_fabric();
  void draw_torus();
  void draw_equipped_tree();
  void draw_policy();
  void disturb();
  void pull_or_plug();
  void kill_or_start(std::size_t p);
  void start(std::size_t p);
  void disturb_disk();
  void mute_or_unmute();
  void bounce();
  void send_error_traps();
  void disturb_tenants();
  void read_policy();
  void reload(Process& process);
  void restart_refused();
  std::vector<hw::Milliseconds> draw_delays();
  void advance(hw::TimePoint until);
  void begin_update(const ServiceLevels& planned, const std::optional<ServiceLevels>& installed,
                    const verify::UpdatePlan& update);
  bool writes_target(const Visit& visit) const;
  void check(const Visit& visit);
  void check_hosts();
  void check_counters();
  void check_end_of_counters();
  void check_end();
  void check_end_of_hosts(hw::TimePoint end);
  bool is_settled() const;
  std::string unguarded(const fabric::Fabric& installed) const;
  std::string unlimited(const chains::Plan& installed) const;
  std::string unassigned(const fabric::Fabric& installed) const;
  void say(const std::string& what) const;

  fabric::Random draw_;
  bool verbose_;
  Faults faults_;
  std::unique_ptr<fabric::Fabric> fabric_;
  std::string torus_conf_, options_;
  std::shared_ptr<const policy::Policy> policy_;
  std::unique_ptr<SimulatedFabric> simulated_;
  std::unique_ptr<Hosts> hosts_;
  std::unique_ptr<Counting> counting_;
  std::unique_ptr<Tenants> tenants_;  ///< null: all ports are in the default partition only
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<PortId> origins_;                  ///< hosts that a manager may run on; never cut off by hand
  std::vector<PortId> cables_, down_;            ///< by one end
  std::vector<NodeId> muted_;                    ///< answer no request, and forward packets as before
  std::uint64_t loss_ = 0;                       ///< of 1,000 requests and of 1,000 answers
  bool slow_ = false;                            ///< answers come late, twice and in another order
  std::vector<ServiceLevels> levels_;            ///< that hosts may have now
  std::vector<ServiceLevels> levels_of_target_;  ///< that they may have once a target entry is written
  /// Blocks of the update that only remove entries: number and content.
  std::set<std::pair<std::uint32_t, hw::SmpData>> removals_;
  std::vector<Disk> disks_;  ///< of `origins_`
  Outcome outcome_;
};

}  // namespace rch::sim::test
