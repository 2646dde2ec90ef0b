#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fabric/block_writes.h"
#include "hw/preparation.h"

namespace rch::hw {

/// What a commit wrote, or would write.
struct CommitReport {
  std::size_t switches = 0;      ///< SwitchInfo Sets
  std::size_t end_ports = 0;     ///< PortInfo Sets of LIDs
  std::size_t asked_hosts = 0;   ///< end ports that are told to register again
  std::size_t switch_ports = 0;  ///< PortInfo Sets of parameters
  std::size_t closed = 0;        ///< links to what is left out, taken down
  std::size_t resets = 0;        ///< links taken down because their MTU or VLs had to change
  std::size_t sl2vl_tables = 0;
  std::size_t lft_blocks = 0;  ///< in all rounds
  std::size_t arbitration_blocks = 0;
  std::size_t rate_limits = 0;  ///< ports
  std::size_t fdr10 = 0;        ///< ports whose FDR10 is enabled or disabled
  std::size_t pkey_blocks = 0;
  std::size_t multicast_removals = 0;     ///< blocks from which entries are removed before the paths change
  std::size_t multicast_blocks = 0;       ///< those, and the blocks to which entries are added
  std::size_t armed = 0;                  ///< ports
  std::size_t armed_with_parameters = 0;  ///< of those, the ones that count as `switch_ports`
  std::size_t activated = 0;              ///< ports
  SmpCounters smps;                       ///< of the whole commit, reads included
  std::chrono::duration<double, std::milli> elapsed{};
  std::vector<std::string> remarks;

  std::size_t writes() const {
    return switches + end_ports + switch_ports + closed + resets + sl2vl_tables + lft_blocks +
           arbitration_blocks + rate_limits + fdr10 + pkey_blocks + multicast_blocks +
           (armed - armed_with_parameters) + activated;
  }
  /// Adds what another commit before this one wrote.
  void add(const CommitReport& earlier);
};

/// What carrying out a preparation will write.
CommitReport report_of(const Preparation& preparation, std::span<const fabric::WriteRound> rounds);

}  // namespace rch::hw
