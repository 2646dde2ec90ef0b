#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/common/port_selection/candidates.h"
#include "fabric/table_dumps.h"

namespace rch::engines::file {

/// A hop matrix from a file, by port: what the file says counts, whatever the links are. The
/// candidates are the output ports by which the file has the fewest hops.
class LoadedHops : public common::CandidateRule {
 public:
  LoadedHops(const common::PortContext& context, const fabric::HopDump& dump);

  const HopMatrix& hops() const { return hops_; }
  const std::vector<std::string>& remarks() const { return remarks_; }
  void add_to(common::Candidates& candidates, SwitchId sw) const override;

 private:
  void load(const common::PortContext& context, SwitchId sw, const fabric::HopDump::Table& table);
  std::size_t row(SwitchId sw, std::size_t port, SwitchId to) const {
    return (first_row_[sw.index()] + port) * hops_.switch_count + to.index();
  }

  HopMatrix hops_;
  std::vector<std::size_t> first_row_;  ///< by switch: of its port 0
  std::vector<std::uint8_t> by_port_;   ///< [row(switch, port, destination)], 255 unknown
  std::vector<std::string> remarks_;
};

}  // namespace rch::engines::file
