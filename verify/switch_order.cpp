#include "verify/switch_order.h"

#include <algorithm>
#include <limits>

namespace rch::verify {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

/// Breadth-first search from each of `starts` that was not met before. Appends switches to `order`; sets the
/// links from the start of the search.
class Search {
 public:
  explicit Search(const Wiring& wiring) : wiring_(wiring), links_(wiring.switch_count(), kFar) {}

  void add(std::uint32_t sw, std::uint32_t links) {
    if (links_[sw] != kFar) return;
    links_[sw] = links;
    order_.push_back(sw);
  }
  void go_on() {
    for (; head_ < order_.size(); ++head_)
      for (unsigned port = 1; port <= wiring_.num_ports(order_[head_]); ++port)
        if (const Exit& exit = wiring_.exits(order_[head_])[port]; exit.kind == Exit::Kind::to_switch)
          add(exit.to, links_[order_[head_]] + 1);
  }
  std::vector<std::uint32_t>& order() { return order_; }
  std::uint32_t links(std::uint32_t sw) const { return links_[sw]; }

 private:
  const Wiring& wiring_;
  std::vector<std::uint32_t> links_, order_;
  std::size_t head_ = 0;
};

/// Switches with hosts first, then by links from them; among those as a search through the fabric meets them.
std::vector<std::uint32_t> ordered(const Wiring& wiring) {
  Search near(wiring), from_hosts(wiring);
  for (std::uint32_t sw = 0; sw < wiring.switch_count(); ++sw) {
    near.add(sw, 0);
    near.go_on();
    if (!wiring.sources_of(sw).empty()) from_hosts.add(sw, 0);
  }
  from_hosts.go_on();
  std::ranges::stable_sort(near.order(), {}, [&](std::uint32_t sw) { return from_hosts.links(sw); });
  return std::move(near.order());
}

}  // namespace

SwitchOrder::SwitchOrder(const Wiring& wiring) : switches_(ordered(wiring)), place_(switches_.size()) {
  std::uint32_t slots = 0;
  for (std::uint32_t at = 0; at < switches_.size(); ++at) {
    place_[switches_[at]] = at;
    first_slot_.push_back(slots);
    slots += wiring.num_ports(switches_[at]) + 1U;
  }
  for (const std::uint32_t sw : switches_)
    for (unsigned port = 0; port <= wiring.num_ports(sw); ++port) {
      const Exit& exit = wiring.exits(sw)[port];
      Peer& peer = peers_.emplace_back();
      if (exit.kind == Exit::Kind::to_switch)
        peer = {place_[exit.to], first_slot_[place_[exit.to]] + exit.in};
    }
}

}  // namespace rch::verify
