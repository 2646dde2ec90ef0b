#include "engines/common/channels.h"

#include <utility>

namespace rch::engines::common {

Channels::Channels(const fabric::SwitchGraph& graph) {
  std::vector<std::pair<PortNum, SwitchId>> far_end;  // by channel: port and switch it arrives at
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    first_.push_back(static_cast<std::uint32_t>(channels_.size()));
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n)) {
        channels_.push_back({n.sw, link.out, ChannelId::none(), 0});
        far_end.emplace_back(link.in, n.sw);
      }
  }
  first_.push_back(static_cast<std::uint32_t>(channels_.size()));
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const PortNum port = far_end[c].first;
    const SwitchId sw = far_end[c].second;
    for_each_leaving(sw, [&](ChannelId other) {
      if (channels_[other.index()].port == port) channels_[c].back = other;
    });
    channels_[c].first_dependency = static_cast<std::uint32_t>(dependency_count_);
    dependency_count_ += degree(sw);
  }
}

}  // namespace rch::engines::common
