#include "engines/common/channels.h"

namespace rch::engines::common {

Channels::Channels(const fabric::SwitchGraph& graph)
    : at_port_(graph.switch_count() * kPorts, ChannelId::none()) {
  std::vector<std::size_t> far_end;  // by channel: the port that it arrives at
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    first_.push_back(static_cast<std::uint32_t>(channels_.size()));
    for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
      for (const fabric::SwitchLink& link : graph.links(n)) {
        at_port_[s * kPorts + link.out.index()] = ChannelId(static_cast<std::uint32_t>(channels_.size()));
        far_end.push_back(n.sw.index() * kPorts + link.in.index());
        channels_.push_back({n.sw, link.out, ChannelId::none(), 0});
      }
  }
  first_.push_back(static_cast<std::uint32_t>(channels_.size()));
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    channels_[c].back = at_port_[far_end[c]];
    channels_[c].first_dependency = static_cast<std::uint32_t>(dependency_count_);
    dependency_count_ += degree(channels_[c].to);
  }
}

}  // namespace rch::engines::common
