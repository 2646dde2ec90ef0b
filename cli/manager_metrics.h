#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "chains/events.h"
#include "cli/exposition.h"
#include "cli/port_metrics.h"
#include "sm/manager.h"

namespace rch::cli {

/// How often something was done, and how long that took.
struct Duration {
  std::uint64_t count = 0;
  double seconds = 0;

  void add(double milliseconds) { ++count, seconds += milliseconds / 1000; }
};

/// What `/metrics` shows of a manager, as it was at one time. Nothing refers to the manager.
struct ManagerMetrics {
  sm::Status status{};
  bool is_following = false;  ///< of a standby
  std::size_t followers = 0;
  std::size_t other_followers = 0;  ///< of them, with another configuration
  sm::ManagerCounters manager{};
  hw::SmpCounters smps{};
  sa::ServerCounters sa{};
  sa::RmppCounters transfers{};
  sa::ReportCounters reports{};
  std::size_t multicast_groups = 0, services = 0, subscriptions = 0;
  std::map<std::string_view, Duration> phases{};               ///< of sweeps and plans, by name
  std::map<std::string, std::uint64_t, std::less<>> events{};  ///< lines of the log, by code
  std::uint64_t writes = 0;                                    ///< to the fabric
  std::uint64_t journal_writes = 0, journal_bytes = 0, journal_failures = 0;
  bool is_confirmed = true;
  perfmgr::PerformanceCounters performance{};
  PortSource ports{};
  /// Unhealthy parts, by condition and action.
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> unhealthy{};
};

/// All families of the page, in its order.
std::span<const MetricFamily> metric_families();

/// The page without the families of ports, with what the system says of the process.
std::string metrics_page(const ManagerMetrics& metrics);

}  // namespace rch::cli
