#include "engines/common/port_selection/candidates.h"

#include <algorithm>
#include <utility>

namespace rch::engines::common {
namespace {

/// Destinations are looked at one by one where they are fewer than one in so many: bytes in a row are looked
/// at many at a time.
constexpr std::size_t kFewOf = 16;

}  // namespace

void Candidates::list_outputs(SwitchId sw) {
  const auto neighbors = context_.graph().neighbors(sw);
  outputs_.clear();
  for (std::uint32_t n = 0; n < neighbors.size(); ++n)
    for (const fabric::SwitchLink& link : context_.graph().links(neighbors[n]))
      outputs_.push_back(
          {link.out, context_.scan_position(sw, link.out), context_.links().weight(sw, link.out), n});
  std::ranges::sort(outputs_, {}, &OutputPort::scan_position);
}

void Candidates::examine(SwitchId sw) {
  list_outputs(sw);
  sets_.clear(outputs_.size());
  rule_.add_to(*this, sw);
}

void Candidates::examine(SwitchId sw, std::span<const SwitchId> destinations) {
  if (destinations.empty() || destinations.size() * kFewOf > context_.graph().switch_count())
    return examine(sw);
  list_outputs(sw);
  sets_.clear(outputs_.size(), destinations);
  rule_.add_to(*this, sw);
}

void ShortestPaths::add_to(Candidates& candidates, SwitchId sw) const {
  const auto neighbors = graph_.neighbors(sw);
  std::vector<HopRows> rows;
  for (const Candidates::OutputPort& output : candidates.outputs())
    rows.push_back(
        {rows.size(), hops_.row(sw).data(), hops_.row(neighbors[output.neighbor].sw).data(), output.weight});
  candidates.sets().add_where_nearer(std::move(rows));
}

}  // namespace rch::engines::common
