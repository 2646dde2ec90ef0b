#include "hw/commit_report.h"

#include <algorithm>
#include <array>

#include "hw/commit_steps.h"

namespace rch::hw {
namespace {

/// The counts of a report.
constexpr std::array kCounts{&CommitReport::switches,
                             &CommitReport::end_ports,
                             &CommitReport::asked_hosts,
                             &CommitReport::switch_ports,
                             &CommitReport::closed,
                             &CommitReport::resets,
                             &CommitReport::sl2vl_tables,
                             &CommitReport::lft_blocks,
                             &CommitReport::arbitration_blocks,
                             &CommitReport::rate_limits,
                             &CommitReport::fdr10,
                             &CommitReport::pkey_blocks,
                             &CommitReport::multicast_removals,
                             &CommitReport::multicast_blocks,
                             &CommitReport::armed,
                             &CommitReport::armed_with_parameters,
                             &CommitReport::activated};

}  // namespace

void CommitReport::add(const CommitReport& earlier) {
  for (const auto count : kCounts) this->*count += earlier.*count;
  smps.requests += earlier.smps.requests;
  smps.sent += earlier.smps.sent;
  smps.resent += earlier.smps.resent;
  smps.lost += earlier.smps.lost;
  smps.unmatched += earlier.smps.unmatched;
  elapsed += earlier.elapsed;
}

CommitReport report_of(const Preparation& plan, std::span<const fabric::WriteRound> rounds) {
  CommitReport report;
  report.switches = plan.switches.before.size() + plan.switches.raise.size() + plan.switches.after.size();
  report.end_ports = plan.ports.end_ports.size();
  report.asked_hosts =
      static_cast<std::size_t>(std::ranges::count_if(plan.ports.end_ports, [](const Image& image) {
        return decode<PortInfo>(image.data).client_reregister;
      }));
  report.switch_ports = plan.ports.switch_ports.size();
  report.closed = plan.closes.size();
  report.resets = plan.ports.resets.size();
  report.sl2vl_tables = plan.delta.sl2vl.size() + plan.delta.end_port_sl2vl.size();
  report.lft_blocks = count_blocks(plan, rounds);
  report.arbitration_blocks = plan.arbitration.size();
  report.rate_limits = plan.rate_limits.size();
  report.fdr10 = plan.fdr10.size();
  report.pkey_blocks = plan.pkeys.removals.size() + plan.pkeys.additions.size();
  report.multicast_removals = plan.multicast.removals.size();
  report.multicast_blocks = report.multicast_removals + plan.multicast.additions.size();
  report.remarks = plan.remarks;
  report.armed_with_parameters = plan.ports.armed_with_parameters;
  report.armed = plan.ports.arm_count + report.armed_with_parameters;
  report.activated = plan.ports.activate.size();
  return report;
}

}  // namespace rch::hw
