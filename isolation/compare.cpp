#include "isolation/compare.h"

#include <algorithm>
#include <map>

#include "isolation/port_classes.h"

namespace rch::isolation {
namespace {

/// Whether two tables have a partition in common in which not both are limited members.
bool have_common(std::span<const std::uint16_t> a, std::span<const std::uint16_t> b) {
  return std::ranges::any_of(a, [&](std::uint16_t key) {
    return exchange((key & kFullMember) != 0 ? Membership::full : Membership::limited,
                    membership_in(b, partition_of(key)));
  });
}

std::uint16_t key_or_none(std::uint16_t partition, Membership membership) {
  return membership == Membership::none ? std::uint16_t{0} : key_of(partition, membership);
}

class Comparison {
 public:
  Comparison(const fabric::Fabric& fabric, const InstalledPKeys& installed, const InstalledPKeys& target)
      : classes_(port_classes(fabric, installed, &target)) {
    std::erase_if(classes_, [&](const PortClass& one) { return !target.knows(one.ports.front()); });
    for (std::uint32_t p = 0; p < target.ports(); ++p) {
      const fabric::Port& port = fabric.port(PortId(p));
      if (installed.knows(PortId(p)) || !target.knows(PortId(p)) || !is_end_port(fabric, port)) continue;
      ++(exchanges_packets(fabric, port) ? out_.unknown : out_.unknown_base_ports);
    }
  }

  Differences run() {
    for (const PortClass& one : classes_) {
      for_each_partition_of(one.own, [&](std::uint16_t p) {
        members_[p].push_back(&one);
        if (one.in(p) > membership_in(one.target, p)) note(beyond_[p], p, one);
      });
      for_each_partition_of(one.target, [&](std::uint16_t p) {
        if (one.in(p) < membership_in(one.target, p)) note(lacking_[p], p, one);
      });
    }
    for (auto& [p, beyond] : beyond_) {
      count_pairs(beyond);
      out_.beyond.push_back(beyond);
    }
    for (auto& [p, lacking] : lacking_) out_.lacking.push_back(lacking);
    return std::move(out_);
  }

 private:
  template <class Difference>
  static void note(Difference& difference, std::uint16_t p, const PortClass& one) {
    difference.partition = p;
    difference.ports += one.ports.size();
    if (!difference.port.is_none() && difference.port < one.ports.front()) return;
    difference.port = one.ports.front();
    difference.installed = key_or_none(p, one.in(p));
    difference.target = key_or_none(p, membership_in(one.target, p));
  }

  static bool is_beyond(const PortClass& one, std::uint16_t p) {
    return one.in(p) > membership_in(one.target, p);
  }

  /// Each pair with a member beyond what is target.
  void count_pairs(Beyond& beyond) const {
    const std::vector<const PortClass*>& members = members_.at(beyond.partition);
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = i; j < members.size(); ++j) {
        const PortClass &a = *members[i], &b = *members[j];
        if (!is_beyond(a, beyond.partition) && !is_beyond(b, beyond.partition)) continue;
        const std::uint64_t pairs =
            i == j ? a.ports.size() * (a.ports.size() - 1) / 2 : a.ports.size() * b.ports.size();
        if (pairs == 0 || have_common(a.target, b.target)) continue;
        const auto packet = packet_between(a, b, beyond.partition);
        if (!packet) continue;
        beyond.pairs += pairs;
        if (!beyond.packet) beyond.packet = packet;
      }
  }

  static std::optional<Packet> packet_between(const PortClass& a, const PortClass& b, std::uint16_t p) {
    for (const auto& [from, to] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      const Membership sends = from->sends(p), takes = to->takes(p);
      if (exchange(sends, takes))
        return Packet{from->ports.front(), from == to ? to->ports[1] : to->ports.front(), key_of(p, sends),
                      key_of(p, takes)};
    }
    return std::nullopt;
  }

  std::vector<PortClass> classes_;
  std::map<std::uint16_t, std::vector<const PortClass*>> members_;
  std::map<std::uint16_t, Beyond> beyond_;
  std::map<std::uint16_t, Lacking> lacking_;
  Differences out_;
};

}  // namespace

Differences compare(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                    const InstalledPKeys& target) {
  return Comparison(fabric, installed, target).run();
}

}  // namespace rch::isolation
