#pragma once

// Nodes and ports that fail again and again (docs/manager.md, "Quarantine"): what they did is counted, and a
// rule says when they are unhealthy. It knows neither how to look nor how to plan.
//
// States of a part, and what moves it:
//   healthy    nothing is known of it, or too little.
//   unhealthy  a rule applied, or the operator says so. Its action says what becomes of it. It is healthy
//              again when `period` passes without another event, and when the operator says so.
//
// A part that is left out while something else needs it stays in the fabric: the look says so (`spared`).

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "hw/live_fabric.h"
#include "hw/sweep.h"
#include "sm/health_rules.h"

namespace rch::sm {

/// A port, or a whole node: port 0.
struct Part {
  Guid node;
  PortNum port{};

  friend auto operator<=>(const Part&, const Part&) = default;
};

struct Unhealthy {
  Part part;
  std::string node;  ///< its description
  Condition condition;
  HealthAction action;
  std::string reason;  ///< "its link went down 25 times in 900 s"
  /// Without further events; TimePoint::max(): until the operator releases it.
  hw::TimePoint until{};
  bool spared = false;  ///< something that answers were cut off without it
  /// The switch port that leads to it, if nothing is asked behind that.
  std::optional<Part> behind{};
  Guid asked{};  ///< the GUID that the operator named; 0: none
};

/// A part became unhealthy, is spared, or is healthy again.
struct HealthChanged {
  const Unhealthy& part;
  bool is_over = false;
  std::string_view why{};  ///< of the end
};

class Health {
 public:
  using Tell = std::function<void(const HealthChanged&)>;

  explicit Health(HealthSettings settings, Tell tell) : settings_(settings), tell_(std::move(tell)) {}

  /// Rules hold for events from now on. What is unhealthy stays so.
  void follow(const HealthSettings& settings) { settings_ = settings; }

  /// A look has ended. `installed`: the fabric that was installed last, null: none. Links that were in it and
  /// are not in service any more went down since.
  void on_look(const hw::LiveFabric& live, const fabric::Fabric* installed, hw::TimePoint now);
  /// What the last look left out still does not answer.
  void on_silence(const hw::LiveFabric& live, hw::TimePoint now);
  /// A look left out what it could: what it spared is told.
  void note_spared(const hw::LiveFabric& live);
  /// What parts did not do after the look.
  void on_late_faults(const hw::LiveFabric& live, std::span<const hw::LateFault> faults, hw::TimePoint now);
  /// The links that the last look saw are in service.
  void on_installed() { down_.clear(); }
  /// The port with that LID sent trap 129, 130 or 131. `number`: of the port of a switch that it is about.
  void on_error_trap(const hw::LiveFabric& live, Lid from, std::optional<PortNum> number, hw::TimePoint now);

  /// The operator wants it left out. Fails when the fabric has no such part.
  /// No action: that of `hm_ca_manual_action` or `hm_sw_manual_action`.
  Result<void> isolate(const hw::LiveFabric& live, Part part, std::optional<HealthAction> action);
  /// The operator takes it back, whatever made it unhealthy; port 0: with all ports of the node. Fails when
  /// nothing of it is unhealthy.
  Result<void> release(const hw::LiveFabric& live, Part part);
  /// What the operator left out, and the action.
  using ManualParts = std::map<Part, HealthAction>;
  ManualParts left_out_by_hand() const;
  /// These and no others are what the operator left out, before a look.
  void leave_out_by_hand(const ManualParts& parts);
  /// What has been healthy for long enough is no more unhealthy.
  void on_time(hw::TimePoint now);
  /// When on_time() is due; TimePoint::max() if never.
  hw::TimePoint deadline() const;
  /// Forgets all but what the operator said: another manager is master.
  void forget();

  /// What the next look has to leave out.
  std::vector<hw::LateFault> left_out() const;
  /// True if left_out() differs from what it was at the last call.
  bool take_change() { return std::exchange(changed_, false); }
  bool has_change() const { return changed_; }
  const std::map<Part, Unhealthy>& unhealthy() const { return unhealthy_; }

 private:
  /// The last events of a part, as many as a rule needs.
  struct Events {
    std::deque<hw::TimePoint> times;
    std::deque<std::uint64_t> sweeps;
    hw::TimePoint last{};
  };

  void count(const hw::LiveFabric& live, Part part, const HealthRule& rule, hw::TimePoint now);
  void declare(const hw::LiveFabric& live, Unhealthy found);
  void end(std::map<Part, Unhealthy>::iterator at, std::string_view why);
  void count_links(const hw::LiveFabric& live, const fabric::Fabric& installed, NodeId node,
                   hw::TimePoint now);
  void count_problems(const hw::LiveFabric& live, hw::TimePoint now);
  void count_link(const hw::LiveFabric& live, const fabric::Fabric& installed, PortId was, hw::TimePoint now);
  void meet_manual_parts(const hw::LiveFabric& live);
  HealthAction manual_action(const hw::Sweep& sweep, const Part& part) const;
  static Result<Part> find_part(const hw::LiveFabric& live, Part part);

  HealthSettings settings_;
  Tell tell_;
  std::uint64_t sweep_ = 0;  ///< number of the last look
  std::map<std::pair<Part, Condition>, Events> events_;
  std::set<Part> down_;  ///< links and nodes that were counted since the last installation
  std::map<Part, Unhealthy> unhealthy_;
  bool changed_ = false;
};

}  // namespace rch::sm
