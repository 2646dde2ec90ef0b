#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/rate_codes.h"
#include "parsers/common/bounded.h"
#include "policy/bind/partitions/end_ports.h"
#include "policy/lint/overlaps.h"
#include "policy/lint/rules/partitions.h"

namespace rch::policy::partitions {
namespace {

class FabricCheck {
 public:
  FabricCheck(const Partitions& partitions, const Place& place, Diagnostics& diagnostics)
      : partitions_(partitions), place_(place), ends_(place), report_(diagnostics) {}

  void run() {
    check_ports();
    check_index0();
    check_sm();
    check_groups();
    report_.finish(partitions_.source);
  }

 private:
  /// Each absent GUID once.
  void check_ports() {
    std::set<std::uint64_t> reported;
    for (const Partition& partition : partitions_.all)
      for (const Member& member : partition.members) {
        if (member.who != Who::guid || ends_.find(Guid(member.key))) continue;
        if (reported.size() > parsers::Bounded::kPerRule || !reported.insert(member.key).second) continue;
        const auto node = place_.fabric.find_node(Guid(member.key));
        Diagnostic& d =
            report_.next().add(kUnknownPort, partitions_.span(member),
                               node ? fmt::format("{} is a node, not a port", Guid(member.key))
                                    : fmt::format("no end port of the fabric is {}", Guid(member.key)));
        if (node) d.hint = "name the GUIDs of its ports";
      }
  }

  void check_index0() {
    std::set<std::pair<PKey, PKey>> reported;
    for (const SharedIndex0& shared : shared_index0(partitions_))
      reported.insert(std::minmax(shared.first_pkey, shared.second_pkey));
    std::vector<std::pair<PKey, const Member*>> holder(ends_.size());
    Shares shares(ends_);
    for (const Partition& partition : partitions_.all) {
      shares.apply(partition);
      for (const std::uint32_t port : shares.members()) {
        const Member* claim = shares.of(port).index0;
        if (claim == nullptr) continue;
        auto& [pkey, first] = holder[port];
        if (first != nullptr && reported.insert(std::minmax(pkey, partition.pkey)).second)
          report_.next()
              .add(kSharedIndex0, partitions_.span(*claim),
                   fmt::format("partitions {:#06x} and {:#06x} both want index 0 of port {}", pkey,
                               partition.pkey, place_.fabric.port(ends_.port(port)).guid))
              .labels.push_back({partitions_.span(*first), "the other one"});
        holder[port] = {partition.pkey, claim};
      }
    }
  }

  /// A group takes members that have its rate and MTU at least.
  void check_groups() {
    Shares shares(ends_);
    for (const Partition& partition : partitions_.all) {
      if (partition.groups.empty()) continue;
      shares.apply(partition);
      for (const MulticastGroup& group : partition.groups) check_group(group, shares.members());
    }
  }

  void check_group(const MulticastGroup& group, std::span<const std::uint32_t> members) {
    std::size_t slow = 0, small = 0;
    const fabric::Port* first = nullptr;
    for (const std::uint32_t member : members) {
      const fabric::Port& port = place_.fabric.port(ends_.port(member));
      if (place_.fabric.is_switch(port.node)) continue;  // port 0 has no link of its own
      const std::uint8_t rank = fabric::rate_rank(fabric::rate_code(port.width, port.speed));
      const bool is_slow = rank != 0 && rank < fabric::rate_rank(group.rate);
      const bool is_small = port.mtu_cap != 0 && port.mtu_cap < group.mtu;
      slow += is_slow ? 1 : 0;
      small += is_small ? 1 : 0;
      if ((is_slow || is_small) && first == nullptr) first = &port;
    }
    if (first == nullptr) return;
    const auto report = [&](std::size_t count, std::string_view what, std::uint8_t code) {
      if (count == 0) return;
      report_.next()
          .add(kGroupBeyondPorts, group.span,
               fmt::format("the group {} has {} {}, which {} of {} do not have, such as {}",
                           mgid_text(group.mgid), what, code, count, counted(members.size(), "member"),
                           first->guid))
          .hint = fmt::format("their joins are refused; lower `{}`", what == "MTU code" ? "mtu" : "rate");
    };
    report(slow, "rate code", group.rate);
    report(small, "MTU code", group.mtu);
  }

  void check_sm() {
    const auto sm = ends_.sm();
    const Partition* everyone = partitions_.find(kDefaultPKey);
    if (!sm || everyone == nullptr || limits_sm(*everyone) != nullptr) return;
    const Member* last = nullptr;
    for (const Member& member : everyone->members)
      ends_.for_each(member, [&](std::uint32_t port) {
        if (port == *sm) last = &member;
      });
    if (last != nullptr && last->membership == Membership::limited)
      report_.next()
          .add(kSmNotFull, partitions_.span(*last),
               fmt::format(
                   "this leaves the subnet manager's port {} a limited member of the default partition",
                   place_.fabric.port(place_.sm).guid))
          .hint = "add `SELF=full` behind it";
  }

  const Partitions& partitions_;
  const Place& place_;
  EndPorts ends_;
  parsers::Bounded report_;
};

}  // namespace

void check_on_fabric(const Partitions& partitions, const Place& place, Diagnostics& diagnostics) {
  FabricCheck(partitions, place, diagnostics).run();
}

}  // namespace rch::policy::partitions
