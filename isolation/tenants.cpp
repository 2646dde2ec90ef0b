#include "isolation/tenants.h"

#include <algorithm>
#include <utility>

#include "isolation/port_classes.h"

namespace rch::isolation {
namespace {

/// What the members of a partition do in another one, together.
struct Presence {
  std::uint32_t partition = 0;  ///< index
  Membership sends = Membership::none, takes = Membership::none;
};

class Judging {
 public:
  Judging(const fabric::Fabric& fabric, const InstalledPKeys& installed)
      : fabric_(fabric), installed_(installed) {}

  Isolation run(std::span<const fabric::MulticastGroup> groups) {
    count_unknown();
    number_partitions();
    count_reached();
    find_presences();
    judge_pairs();
    find_shared_ports();
    for (const fabric::MulticastGroup& group : groups) judge_group(group);
    return std::move(out_);
  }

 private:
  void count_unknown() {
    for (std::uint32_t p = 0; p < installed_.ports(); ++p)
      if (!installed_.knows(PortId(p)) && exchanges_packets(fabric_, fabric_.port(PortId(p))))
        if (out_.unknown++ == 0) out_.first_unknown = PortId(p);
  }

  void number_partitions() {
    std::vector<std::uint16_t> numbers;
    for (const PortClass& one : classes_)
      for (const std::uint16_t key : one.own) numbers.push_back(partition_of(key));
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    members_.resize(numbers.size());
    for (const std::uint16_t number : numbers) out_.partitions.push_back({.number = number});
    for (std::uint32_t c = 0; c < classes_.size(); ++c)
      for_each_partition(classes_[c], [&](std::uint32_t p, Membership membership) {
        members_[p].push_back(c);
        Partition& partition = out_.partitions[p];
        (membership == Membership::full ? partition.full : partition.limited) += classes_[c].ports.size();
      });
    out_.tenants = numbers.size() - (std::ranges::binary_search(numbers, kDefaultPartition) ? 1 : 0);
    out_.pairs = out_.tenants * (out_.tenants - (out_.tenants > 0 ? 1 : 0)) / 2;
  }

  std::uint32_t index_of(std::uint16_t number) const {
    const auto at = std::ranges::lower_bound(out_.partitions, number, {}, &Partition::number);
    return static_cast<std::uint32_t>(at - out_.partitions.begin());
  }
  bool exists(std::uint16_t number) const {
    return std::ranges::binary_search(out_.partitions, number, {}, &Partition::number);
  }
  bool is_tenant(std::size_t p) const { return out_.partitions[p].number != kDefaultPartition; }

  /// Calls f(index, membership) for each partition of a class, ascending.
  template <class F>
  void for_each_partition(const PortClass& one, F&& f) const {
    for_each_partition_of(one.own, [&](std::uint16_t number) { f(index_of(number), one.in(number)); });
  }

  /// Packets of a partition reach ports that are no members where no switch port checks what it sends to
  /// them, or where that has more partitions than the port behind it.
  void count_reached() {
    std::uint64_t open = 0;  // ports in front of which nothing checks
    std::vector<std::uint64_t> open_members(out_.partitions.size());
    for (const PortClass& one : classes_) {
      if (one.of_switch) continue;
      if (one.checks_out) {
        for_each_partition_of(one.in_front, [&](std::uint16_t number) {
          if (exists(number) && one.in(number) == Membership::none)
            out_.partitions[index_of(number)].reached += one.ports.size();
        });
        continue;
      }
      open += one.ports.size();
      for_each_partition(one, [&](std::uint32_t p, Membership) { open_members[p] += one.ports.size(); });
    }
    for (std::size_t p = 0; p < out_.partitions.size(); ++p) {
      Partition& partition = out_.partitions[p];
      partition.reached += open - open_members[p];
      const PortClass* sender = sender_in(p);
      if (sender == nullptr) partition.reached = 0;
      if (partition.reached != 0) partition.reaching = reaching(partition.number, *sender);
    }
  }

  const PortClass* sender_in(std::size_t p) const {
    for (const std::uint32_t c : members_[p])
      if (classes_[c].sends(out_.partitions[p].number) != Membership::none) return &classes_[c];
    return nullptr;
  }

  Packet reaching(std::uint16_t number, const PortClass& sender) const {
    const auto reached = std::ranges::find_if(classes_, [&](const PortClass& one) {
      return !one.of_switch && one.in(number) == Membership::none && one.passes_out(number);
    });
    return {.from = sender.ports.front(),
            .to = reached->ports.front(),
            .from_key = key_of(number, sender.sends(number))};
  }

  /// By partition: in which partitions its members are, and as what.
  void find_presences() {
    presences_.resize(out_.partitions.size());
    present_.resize(out_.partitions.size());
    std::vector<Presence> of(out_.partitions.size());
    std::vector<std::uint8_t> seen(out_.partitions.size());
    std::vector<std::uint32_t> touched;
    for (std::uint32_t a = 0; a < out_.partitions.size(); ++a) {
      if (!is_tenant(a)) continue;
      for (const std::uint32_t c : members_[a])
        for_each_partition(classes_[c], [&](std::uint32_t p, Membership) {
          if (std::exchange(seen[p], std::uint8_t{1}) == 0) touched.push_back(p);
          const std::uint16_t number = out_.partitions[p].number;
          of[p].sends = std::max(of[p].sends, classes_[c].sends(number));
          of[p].takes = std::max(of[p].takes, classes_[c].takes(number));
        });
      std::ranges::sort(touched);
      for (const std::uint32_t p : touched) {
        presences_[a].push_back({p, of[p].sends, of[p].takes});
        present_[p].push_back({a, of[p].sends, of[p].takes});
        of[p] = {};
        seen[p] = 0;
      }
      touched.clear();
    }
  }

  static bool meet(const Presence& a, const Presence& b) {
    return exchange(a.sends, b.takes) || exchange(b.sends, a.takes);
  }

  void judge_pairs() {
    std::vector<std::uint64_t> shared(out_.partitions.size());
    std::vector<std::uint8_t> met(out_.partitions.size());
    for (std::uint32_t a = 0; a < out_.partitions.size(); ++a) {
      if (!is_tenant(a)) continue;
      std::ranges::fill(shared, 0);
      std::ranges::fill(met, 0);
      for (const std::uint32_t c : members_[a])
        for_each_partition(classes_[c],
                           [&](std::uint32_t p, Membership) { shared[p] += classes_[c].ports.size(); });
      for (const Presence& of_a : presences_[a])
        for (const Presence& of_b : present_[of_a.partition])
          if (meet(of_a, of_b)) met[of_b.partition] = 1;
      for (std::uint32_t b = a + 1; b < out_.partitions.size(); ++b)
        if (is_tenant(b) && (shared[b] != 0 || met[b] != 0)) note_pair(a, b, shared[b]);
    }
  }

  void note_pair(std::uint32_t a, std::uint32_t b, std::uint64_t shared) {
    ++(shared != 0 ? out_.sharing : out_.meeting);
    if (out_.meetings.size() == Isolation::kMostMeetings) return;
    Meeting& meeting = out_.meetings.emplace_back();
    meeting.a = out_.partitions[a].number;
    meeting.b = out_.partitions[b].number;
    meeting.shared = shared;
    if (shared == 0)
      meeting.packet = packet_between(a, b);
    else
      for (const std::uint32_t c : members_[a])
        if (classes_[c].in(meeting.b) != Membership::none)
          meeting.shared_port = std::min(meeting.shared_port, classes_[c].ports.front());
  }

  /// Of members that exchange packets: the first in the lowest partition.
  std::optional<Packet> packet_between(std::uint32_t a, std::uint32_t b) const {
    for (const Presence& of_a : presences_[a]) {
      const std::uint16_t number = out_.partitions[of_a.partition].number;
      for (const std::uint32_t c : members_[a])
        for (const std::uint32_t d : members_[b]) {
          if (const auto there = packet(classes_[c], classes_[d], number)) return there;
          if (const auto back = packet(classes_[d], classes_[c], number)) return back;
        }
    }
    return std::nullopt;
  }

  static std::optional<Packet> packet(const PortClass& from, const PortClass& to, std::uint16_t number) {
    const Membership sends = from.sends(number), takes = to.takes(number);
    if (!exchange(sends, takes)) return std::nullopt;
    return Packet{from.ports.front(), to.ports.front(), key_of(number, sends), key_of(number, takes)};
  }

  void find_shared_ports() {
    for (const PortClass& one : classes_) {
      std::uint64_t tenants = 0;
      for_each_partition(one, [&](std::uint32_t p, Membership) { tenants += is_tenant(p) ? 1 : 0; });
      if (tenants < 2) continue;
      for (const PortId port : one.ports) out_.shared_ports.push_back({port, tenants});
    }
    std::ranges::sort(out_.shared_ports, {}, &SharedPort::port);
  }

  /// The ports of a tree are to have one partition in common, which is that of its group.
  void judge_group(const fabric::MulticastGroup& group) {
    std::vector<PortId> members;
    for (const PortId port : group.members)
      if (installed_.knows(port)) members.push_back(port);
    if (members.empty()) return;
    std::vector<std::uint16_t> common(installed_.of(members.front()).begin(),
                                      installed_.of(members.front()).end());
    for (const PortId port : members) {
      std::erase_if(common, [&](std::uint16_t key) { return !is_member(port, partition_of(key)); });
      if (!common.empty()) continue;
      const auto other = std::ranges::find_if(members, [&](PortId one) {
        return !std::ranges::any_of(installed_.of(one),
                                    [&](std::uint16_t key) { return is_member(port, partition_of(key)); });
      });
      out_.mixed_groups.push_back({group.mlid, other == members.end() ? members.front() : *other, port});
      return;
    }
  }

  bool is_member(PortId port, std::uint16_t number) const {
    return membership_in(installed_.of(port), number) != Membership::none;
  }

  const fabric::Fabric& fabric_;
  const InstalledPKeys& installed_;
  const std::vector<PortClass> classes_ = port_classes(fabric_, installed_, nullptr);
  std::vector<std::vector<std::uint32_t>> members_;  ///< by partition: classes
  std::vector<std::vector<Presence>> presences_;     ///< by tenant: of its members in partitions
  std::vector<std::vector<Presence>> present_;       ///< by partition: of tenants
  Isolation out_;
};

}  // namespace

Isolation judge(const fabric::Fabric& fabric, const InstalledPKeys& installed,
                std::span<const fabric::MulticastGroup> groups) {
  return Judging(fabric, installed).run(groups);
}

}  // namespace rch::isolation
