#include "engines/common/port_selection/candidates.h"

#include <algorithm>

namespace rch::engines::common {
namespace {

/// Destinations are looked at one by one where they are fewer than one in so many: bytes in a row are looked
/// at many at a time.
constexpr std::size_t kFewOf = 16;
constexpr std::size_t kPlane = 8;  ///< outputs

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
  only_ = {};
  planes_.assign(plane_bytes(), 0);
  rule_.add_to(*this, sw);
}

void Candidates::examine(SwitchId sw, std::span<const SwitchId> destinations) {
  if (destinations.empty() || destinations.size() * kFewOf > switches_) return examine(sw);
  list_outputs(sw);
  only_ = destinations;
  planes_.resize(plane_bytes());
  for (std::size_t plane = 0; plane < planes_.size(); plane += switches_)
    for (SwitchId d : destinations) planes_[plane + d.index()] = 0;
  rule_.add_to(*this, sw);
}

void Candidates::add_where_nearer(std::size_t output, std::span<const std::uint8_t> own_row,
                                  std::span<const std::uint8_t> neighbor_row, std::uint8_t weight) {
  std::uint8_t* plane = planes_.data() + output / kPlane * switches_;
  const std::uint8_t* own = own_row.data();
  const std::uint8_t* neighbor = neighbor_row.data();
  const auto bit = static_cast<std::uint8_t>(1U << (output % kPlane));
  for_each_destination([=](std::size_t d) {
    const bool nearer = (static_cast<std::uint8_t>(own[d] - weight) == neighbor[d]) & (own[d] >= weight) &
                        (own[d] != HopMatrix::kUnknown);
    plane[d] = static_cast<std::uint8_t>(plane[d] | (nearer ? bit : 0));
  });
}

void Candidates::keep_first_neighbor() {
  constexpr std::uint8_t kNone = 255;  // a switch has fewer ports
  std::vector<std::uint8_t> first_neighbors(switches_, kNone);
  std::uint8_t* first = first_neighbors.data();
  for (std::size_t c = 0; c < outputs_.size(); ++c) {
    std::uint8_t* plane = planes_.data() + c / kPlane * switches_;
    const auto bit = static_cast<std::uint8_t>(1U << (c % kPlane));
    const auto neighbor = static_cast<std::uint8_t>(outputs_[c].neighbor);
    for_each_destination([=](std::size_t d) {
      const std::uint8_t was = first[d], outputs = plane[d];
      const bool candidate = (outputs & bit) != 0;
      const bool other = (was != kNone) & (was != neighbor);
      const std::uint8_t drop = (candidate & other) ? bit : std::uint8_t{0};
      first[d] = (candidate & !other) ? neighbor : was;
      plane[d] = static_cast<std::uint8_t>(outputs & ~drop);
    });
  }
}

void ShortestPaths::add_to(Candidates& candidates, SwitchId sw) const {
  const auto neighbors = graph_.neighbors(sw);
  for (std::size_t c = 0; c < candidates.outputs().size(); ++c) {
    const Candidates::OutputPort& output = candidates.outputs()[c];
    candidates.add_where_nearer(c, hops_.row(sw), hops_.row(neighbors[output.neighbor].sw), output.weight);
  }
}

}  // namespace rch::engines::common
