#pragma once

#include <cstdint>
#include <vector>

#include "engines/common/candidates.h"
#include "engines/updn/orientation.h"

namespace rch::engines::updn {

/// OpenSM's own search (routing-engines 3.4): from every destination breadth first, with one direction per
/// switch, the first to arrive. Where switches of equal rank are neighbours its routes may turn up after
/// going down; rch keeps it to be compared with OpenSM, not to route by.
class OpenSmSearch : public common::CandidateRule {
 public:
  /// `shortest` is null, or the rows that OpenSM takes for destinations of rank 0 (`connect_roots`).
  OpenSmSearch(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks,
               const HopMatrix* shortest);

  const HopMatrix& hops() const { return hops_; }
  void add_to(common::Candidates& candidates, SwitchId sw) const override;

 private:
  struct Cable {
    std::uint32_t neighbor;
    PortNum out, in;
    std::uint32_t reverse;  ///< the same cable from the other end, index into cables_
    bool up;
  };
  struct State;

  void list_cables(const fabric::SubFabric& view, std::span<const std::uint32_t> ranks);
  void copy_rows(SwitchId destination, const HopMatrix& shortest);
  void search(SwitchId destination, State& state);
  void expand(std::uint32_t from, SwitchId destination, State& state);
  std::uint8_t& told(std::uint32_t cable, SwitchId destination) {
    return told_[cable * hops_.switch_count + destination.index()];
  }

  std::vector<std::uint32_t> first_cable_;  ///< by switch, and one past the last
  std::vector<Cable> cables_;               ///< of each switch by ascending port
  HopMatrix hops_;
  /// [cable * switches + destination]: hops that the neighbour on this cable had when the search came by it.
  std::vector<std::uint8_t> told_;
};

}  // namespace rch::engines::updn
