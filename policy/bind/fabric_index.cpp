#include "policy/bind/fabric_index.h"

#include <algorithm>

#include "base/text.h"
#include "policy/model/regexp_set.h"

namespace rch::policy {
namespace {

/// Host and card of a description `<host> HCA-<card>`.
std::optional<std::pair<std::string_view, std::uint32_t>> split_description(std::string_view description) {
  constexpr std::string_view kMark = " HCA-";
  const std::size_t at = description.rfind(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  const auto card = parse_integer(description.substr(at + kMark.size()));
  if (!card || *card > 0xFFFFFFFF) return std::nullopt;
  return std::pair(description.substr(0, at), static_cast<std::uint32_t>(*card));
}

}  // namespace

std::span<const FabricIndex::Named> FabricIndex::in_range(Guid low, Guid high) {
  if (by_guid_.empty()) {
    for (std::size_t n = 0; n < fabric_.nodes().size(); ++n) {
      const auto node = NodeId(static_cast<std::uint32_t>(n));
      const fabric::Node& info = fabric_.node(node);
      by_guid_.push_back({info.guid, node, PortNum::none()});
      if (fabric_.is_switch(node)) continue;
      for (unsigned p = 1; p <= info.num_ports; ++p) {
        const auto port = PortNum(static_cast<std::uint8_t>(p));
        by_guid_.push_back({fabric_.port(fabric_.port_id(node, port)).guid, node, port});
      }
    }
    std::sort(by_guid_.begin(), by_guid_.end(), [](const Named& a, const Named& b) {
      return std::tie(a.guid, a.node, a.port) < std::tie(b.guid, b.node, b.port);
    });
  }
  const auto first = std::lower_bound(by_guid_.begin(), by_guid_.end(), low,
                                      [](const Named& n, Guid g) { return n.guid < g; });
  const auto last =
      std::upper_bound(first, by_guid_.end(), high, [](Guid g, const Named& n) { return g < n.guid; });
  return {first, last};
}

std::span<const FabricIndex::Card> FabricIndex::cards_of(std::string_view host) {
  if (by_host_.empty()) {
    for (std::size_t n = fabric_.switch_count(); n < fabric_.nodes().size(); ++n) {
      const auto node = NodeId(static_cast<std::uint32_t>(n));
      if (fabric_.node(node).type != fabric::NodeType::ca) continue;
      if (const auto parts = split_description(fabric_.node(node).description))
        by_host_[parts->first].push_back({node, parts->second});
    }
  }
  const auto at = by_host_.find(host);
  return at == by_host_.end() ? std::span<const Card>() : at->second;
}

std::vector<SparseSet<NodeId>> FabricIndex::matching(std::span<const std::string> expressions) const {
  std::vector<SparseSet<NodeId>> matched(expressions.size());
  if (expressions.empty()) return matched;
  RegexpSet set(expressions);
  for (std::size_t n = 0; n < fabric_.nodes().size(); ++n)
    for (const std::size_t expression : set.matching(fabric_.nodes()[n].description))
      matched[expression].insert(NodeId(static_cast<std::uint32_t>(n)));
  return matched;
}

}  // namespace rch::policy
