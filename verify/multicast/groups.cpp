#include "verify/multicast/groups.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "fabric/parts.h"
#include "verify/messages.h"
#include "verify/multicast/rows.h"

namespace rch::verify {
namespace {

/// Switches joined by cables, as sets (union by lowest).
class Parts {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  explicit Parts(std::size_t count) : parent_(count) {
    for (std::uint32_t i = 0; i < count; ++i) parent_[i] = i;
  }
  std::uint32_t of(SwitchId sw) {
    std::uint32_t at = sw.value;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  /// False when they are joined already.
  bool join(SwitchId a, SwitchId b) {
    const std::uint32_t x = of(a), y = of(b);
    parent_[std::max(x, y)] = std::min(x, y);
    return x != y;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// What went wrong so far, with the first case in words.
struct Fault {
  std::uint64_t count = 0;
  std::string first;
  void add(std::string text) {
    if (count++ == 0) first = std::move(text);
  }
};

class Judge {
 public:
  explicit Judge(const Context& context)
      : context_(context),
        say_(context.fabric, context.tables),
        cabled_(fabric::parts(context.fabric.graph())) {}

  void judge(const fabric::MulticastGroup& group) {
    if (group.members.empty() || group.members.size() + group.senders.size() < 2) return;
    group_ = &group;
    Parts parts(context_.wiring.switch_count());
    for (const GroupRow& row : rows(context_.fabric, group)) {
      look_at_capacity(row.sw);
      for (PortId port : row.ports) look_at(row.sw, port, parts);
      look_at_lanes(row);
    }
    look_at_members(parts);
  }

  std::vector<Finding> findings() const {
    std::vector<Finding> result;
    if (apart_.count != 0)
      result.push_back({FindingKind::disconnected, apart_.first, apart_.count, {}, false});
    if (lost_.count != 0)
      result.push_back({FindingKind::multicast_unreachable, lost_.first, lost_.count, {}, false});
    if (loops_.count != 0)
      result.push_back({FindingKind::multicast_loop, loops_.first, loops_.count, {}, false});
    return result;
  }

 private:
  bool carries(PortId port) const { return std::ranges::binary_search(group_->ports, port); }
  std::string mlid() const { return fmt::format("multicast LID 0x{:04X}", group_->mlid); }
  const Exit& exit(SwitchId sw, PortId port) const {
    return context_.wiring.exit(sw.index(), context_.fabric.port(port).number.value);
  }

  SwitchId switch_of(PortId at) const { return SwitchId(context_.fabric.port(at).node.value); }

  void look_at(SwitchId sw, PortId port, Parts& parts) {
    const Exit& to = exit(sw, port);
    if (to.kind != Exit::Kind::to_switch) return;
    const PortId far = context_.fabric.port_id(SwitchId(to.to), PortNum(to.in));
    if (!carries(far))
      lost_.add(fmt::format("{} goes from {} to {}, which does not send it back", mlid(), say_.port(port),
                            say_.port(far)));
    else if (port < far && !parts.join(sw, SwitchId(to.to)))
      loops_.add(fmt::format("{} has a forwarding loop: {} closes it", mlid(), say_.port(port)));
  }

  void look_at_capacity(SwitchId sw) {
    const unsigned cap = context_.fabric.node(sw).multicast_cap;
    if (cap != 0 && group_->mlid.index() >= fabric::kFirstMulticastLid.index() + cap)
      lost_.add(fmt::format("{} goes through {}, which has entries for {} multicast LIDs", mlid(),
                            say_.node(fabric::Fabric::node_id(sw)), cap));
  }

  void look_at_lanes(const GroupRow& row) {
    const SlSet sl = sl_bit(group_->sl);
    for (PortId in : row.ports)
      for (PortId out : row.ports)
        if (in != out && (lane_map(row.sw, in, out).drops & sl) != 0)
          lost_.add(fmt::format("{} of SL {} is dropped for want of a VL between port {} and {}", mlid(),
                                group_->sl, context_.fabric.port(in).number, say_.port(out)));
  }

  const LaneMap& lane_map(SwitchId sw, PortId in, PortId out) const {
    return context_.lanes.at(sw.index(), context_.fabric.port(in).number.index(),
                             context_.fabric.port(out).number.index());
  }

  /// Switch and port that deliver to a member; none if it hangs on no switch.
  PortId delivering(PortId member) const {
    const fabric::Port& port = context_.fabric.port(member);
    if (context_.fabric.is_switch(port.node)) return member;
    return !port.peer.is_none() && context_.fabric.is_switch(context_.fabric.port(port.peer).node)
               ? port.peer
               : PortId::none();
  }

  /// The part of the fabric where `delivering` stands.
  std::uint32_t cabled(PortId at) const { return cabled_.of[context_.fabric.port(at).node.value]; }

  /// Ends and tree of the group in a part of the fabric.
  struct Share {
    std::uint32_t members = 0, senders = 0;
    std::uint32_t tree = Parts::kNone;  ///< the one with the most members
  };
  std::vector<Share> shares(Parts& parts) const {
    std::vector<std::uint32_t> members_of(context_.wiring.switch_count());
    std::vector<Share> by_part(cabled_.count);
    for (PortId member : group_->members) {
      const PortId at = delivering(member);
      if (at.is_none()) continue;
      Share& share = by_part[cabled(at)];
      ++share.members;
      if (!carries(at)) continue;
      const std::uint32_t tree = parts.of(switch_of(at));
      ++members_of[tree];
      if (share.tree == Parts::kNone ||
          std::pair(members_of[tree], share.tree) > std::pair(members_of[share.tree], tree))
        share.tree = tree;
    }
    for (PortId sender : group_->senders)
      if (const PortId at = delivering(sender); !at.is_none()) ++by_part[cabled(at)].senders;
    return by_part;
  }

  /// An end that no cable joins with most of the group is told apart from one that the tables lose.
  void look_at_members(Parts& parts) {
    const std::vector<Share> by_part = shares(parts);
    const auto most = std::ranges::max_element(by_part, {}, &Share::members);
    const auto share_of = [&](PortId end, PortId at) {
      const Share& share = by_part[cabled(at)];
      if (&share != &*most)
        apart_.add(fmt::format("{} has members in parts of the fabric that no cable joins: {} is apart",
                               mlid(), say_.port(end)));
      return share;
    };
    const auto nobody_sends = [](const Share& share) { return share.members + share.senders == 1; };
    const auto nobody_hears = [](const Share& share) { return share.members == 0; };
    const auto in_tree = [&](PortId at) { return parts.of(switch_of(at)) == by_part[cabled(at)].tree; };
    for (PortId member : group_->members) {
      const PortId at = delivering(member);
      if (!at.is_none() && nobody_sends(share_of(member, at))) continue;
      if (at.is_none() || !carries(at))
        lost_.add(fmt::format("{} is not delivered to its member {}", mlid(), say_.port(member)));
      else if (!in_tree(at))
        lost_.add(fmt::format("{} does not join its members: {} is apart", mlid(), say_.port(member)));
      else if (!context_.fabric.is_switch(context_.fabric.port(member).node))
        look_at_service_level(member);
    }
    for (PortId sender : group_->senders) {
      const PortId at = delivering(sender);
      if (!at.is_none() && nobody_hears(share_of(sender, at))) continue;
      if (at.is_none() || !in_tree(at))
        lost_.add(fmt::format("{} does not join its members: {}, which only sends, is apart", mlid(),
                              say_.port(sender)));
      else
        look_at_service_level(sender);
    }
  }

  void look_at_service_level(PortId sender) {
    if ((context_.lanes.unsendable(sender, context_.wiring.data_vls(sender)) & sl_bit(group_->sl)) != 0)
      lost_.add(fmt::format("{} has SL {}, for which its member {} has no VL", mlid(), group_->sl,
                            say_.port(sender)));
  }

  const Context& context_;
  const Messages say_;
  const fabric::MulticastGroup* group_ = nullptr;
  fabric::Parts cabled_;
  Fault apart_, lost_, loops_;
};

bool sends(const Context& context, const fabric::MulticastGroup& group,
           const ChannelDependencyGraph::Channel& channel, PortId in) {
  const LaneMap& map =
      context.lanes.at(channel.sw.index(), context.fabric.port(in).number.index(), channel.out.index());
  return (map.on_lane[channel.lane] & sl_bit(group.sl)) != 0;
}

}  // namespace

std::vector<Finding> group_findings(const Context& context) {
  Judge judge(context);
  for (const fabric::MulticastGroup& group : context.tables.groups) judge.judge(group);
  return judge.findings();
}

const fabric::MulticastGroup* cause(const Context& context, const Dependency& d) {
  for (const fabric::MulticastGroup& group : context.tables.groups) {
    const auto carries = [&](SwitchId sw, PortNum port) {
      return std::ranges::binary_search(group.ports, context.fabric.port_id(sw, port));
    };
    if (!carries(d.from.sw, d.from.out) || !carries(d.to.sw, d.from.in) || !carries(d.to.sw, d.to.out))
      continue;
    const auto all = rows(context.fabric, group);
    const auto row = std::ranges::find(all, d.from.sw, &GroupRow::sw);
    const bool holds = std::ranges::any_of(row->ports, [&](PortId in) {
      return context.fabric.port(in).number != d.from.out && sends(context, group, d.from, in);
    });
    const bool holds_of_senders = std::ranges::any_of(group.senders, [&](PortId sender) {
      const PortId in = context.fabric.port(sender).peer;
      return !in.is_none() && context.fabric.port(in).node == fabric::Fabric::node_id(d.from.sw) &&
             sends(context, group, d.from, in);
    });
    if ((holds || holds_of_senders) &&
        sends(context, group, d.to, context.fabric.port_id(d.to.sw, d.from.in)))
      return &group;
  }
  return nullptr;
}

}  // namespace rch::verify
