#include "schedulers/tree.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/aggregation_nodes.h"
#include "fabric/parts.h"

namespace rch::schedulers {
namespace {

/// Longest name of a switch that Slurm takes.
constexpr std::size_t kLongestName = 64;

std::string cleaned(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    out += is_plain ? c : '_';
  }
  return out;
}

/// Names of branches that are no switches begin with these.
constexpr std::string_view kGroup = "group_", kTop = "top_";
/// A GUID in hexadecimal, with `_` in front.
constexpr std::size_t kGuidEnding = 17;

bool ends_like_guid(std::string_view name) {
  if (name.size() <= kGuidEnding || name[name.size() - kGuidEnding] != '_') return false;
  return name.substr(name.size() - kGuidEnding + 1).find_first_not_of("0123456789abcdef") ==
         std::string_view::npos;
}

/// By switch: its name. It ends with the GUID of the switch where another switch has the same one, and where
/// it could be taken for the name of a group, of a root or of another switch with its GUID.
std::vector<std::string> switch_names(const fabric::Fabric& fabric) {
  std::vector<std::string> names;
  std::map<std::string, int> uses;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    names.push_back(
        cleaned(fabric.node(SwitchId(s)).name()).substr(0, kLongestName - kGroup.size() - kGuidEnding));
    ++uses[names.back()];
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (names[s].empty() || uses[names[s]] > 1 || names[s].starts_with(kGroup) ||
        names[s].starts_with(kTop) || ends_like_guid(names[s]))
      names[s] += fmt::format("{}{:016x}", names[s].empty() ? "" : "_", fabric.node(SwitchId(s)).guid.value);
  return names;
}

struct PlacedHost {
  std::string_view description;
  std::uint8_t port = 0;
  SwitchId leaf = SwitchId::none();
  Guid node{};
};

std::string_view first_word(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find(' '));
}

/// Others would end a list of Slurm, stand for several hosts, or begin a comment.
bool is_host_name(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  };
  return !word.empty() && word.front() != '-' && std::ranges::all_of(word, is_plain);
}

/// Names a list in a remark, as far as anybody reads it.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

/// Where each host hangs: its first port counts.
class Hosts {
 public:
  Hosts(const fabric::Fabric& fabric, const std::vector<std::string>& only) {
    const std::unordered_set<std::string_view> asked_for(only.begin(), only.end());
    for (const fabric::EndPort& end : fabric.end_ports()) {
      const fabric::Port& port = fabric.port(end.port);
      const fabric::Node& node = fabric.node(port.node);
      if (node.type != fabric::NodeType::ca || fabric::is_aggregation_node(node)) continue;
      const std::string_view name = first_word(node.name());
      if (name.empty()) {
        nameless_.push_back(fmt::format("{}", node.guid));
        continue;
      }
      if (!is_host_name(name)) {
        unfit_.push_back(printable(node.name()));
        continue;
      }
      if (!asked_for.empty() && !asked_for.contains(name)) continue;
      by_name_[std::string(name)].push_back({node.name(), port.number.value, end.sw, node.guid});
    }
    for (const std::string& name : only)
      if (!by_name_.contains(name)) absent_.push_back(name);
    settle();
  }

  /// Name and leaf of each.
  const std::map<std::string, SwitchId>& leaves() const { return leaves_; }

  std::vector<std::string> remarks() const {
    std::vector<std::string> remarks;
    const auto tell = [&](const std::vector<std::string>& names, std::string_view what) {
      if (!names.empty()) remarks.push_back(fmt::format("{}: {}", what, listed(names)));
    };
    tell(nameless_, "CAs without a description are left out");
    tell(unfit_, "CAs whose description begins with no host name are left out");
    tell(ambiguous_, "several CAs have one description, which names no host; they are left out");
    tell(spread_, "hosts with ports on several leaves lie under the leaf of the first port");
    tell(absent_, "hosts that the fabric does not have");
    return remarks;
  }

 private:
  void settle() {
    for (auto& [name, ports] : by_name_) {
      std::ranges::sort(ports, {},
                        [](const PlacedHost& p) { return std::tuple(p.description, p.node.value, p.port); });
      const auto is_shared = [](const PlacedHost& a, const PlacedHost& b) {
        return a.description == b.description && a.node != b.node;
      };
      if (std::ranges::adjacent_find(ports, is_shared) != ports.end()) {
        ambiguous_.emplace_back(ports.front().description);
        continue;
      }
      const SwitchId first = ports.front().leaf;
      leaves_[name] = first;
      if (std::ranges::any_of(ports, [&](const PlacedHost& p) { return p.leaf != first; }))
        spread_.push_back(name);
    }
  }

  std::map<std::string, std::vector<PlacedHost>> by_name_;
  std::map<std::string, SwitchId> leaves_;
  std::vector<std::string> nameless_, unfit_, ambiguous_, spread_, absent_;
};

/// By switch: the number of its group. Leaves are in one group if paths join them that go no further up than
/// one level. -1: the switch is higher.
class Groups {
 public:
  Groups(const fabric::SwitchGraph& graph, const std::set<std::uint32_t>& leaves)
      : group_(graph.switch_count(), -1) {
    std::vector<bool> is_low(graph.switch_count());
    for (const std::uint32_t leaf : leaves) {
      is_low[leaf] = true;
      for (const fabric::Neighbor& n : graph.neighbors(SwitchId(leaf))) {
        joins_leaves_ = joins_leaves_ || leaves.contains(n.sw.value);
        is_low[n.sw.index()] = true;
      }
    }
    for (const std::uint32_t leaf : leaves)
      if (group_[leaf] < 0) spread(graph, is_low, leaf, count_++);
  }

  int of(std::uint32_t leaf) const { return group_[leaf]; }
  /// False where leaves are neighbors, as in a torus: there are no levels.
  bool have_meaning() const { return !joins_leaves_; }

 private:
  void spread(const fabric::SwitchGraph& graph, const std::vector<bool>& is_low, std::uint32_t from,
              int number) {
    std::vector<std::uint32_t> reached{from};
    group_[from] = number;
    while (!reached.empty()) {
      const std::uint32_t at = reached.back();
      reached.pop_back();
      for (const fabric::Neighbor& n : graph.neighbors(SwitchId(at)))
        if (is_low[n.sw.index()] && group_[n.sw.index()] < 0) {
          group_[n.sw.index()] = number;
          reached.push_back(n.sw.value);
        }
    }
  }

  std::vector<int> group_;
  int count_ = 0;
  bool joins_leaves_ = false;
};

/// Leaves below their groups; a group of all is none, and neither are groups of one leaf each.
std::vector<Branch> grouped(std::vector<Branch> leaves, const std::vector<int>& group_of) {
  std::map<int, std::vector<std::size_t>> members;
  std::vector<int> order;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!members.contains(group_of[i])) order.push_back(group_of[i]);
    members[group_of[i]].push_back(i);
  }
  if (members.size() < 2 || members.size() == leaves.size()) return leaves;
  std::vector<Branch> groups;
  for (const int number : order) {
    Branch group{std::string(kGroup) + leaves[members[number].front()].name};
    for (const std::size_t i : members[number]) group.below.push_back(std::move(leaves[i]));
    groups.push_back(std::move(group));
  }
  return groups;
}

void collect(const Branch& branch, std::map<std::string, const Branch*>& leaves) {
  for (const std::string& host : branch.hosts) leaves[host] = &branch;
  for (const Branch& below : branch.below) collect(below, leaves);
}

}  // namespace

Tree tree_of(const fabric::Fabric& fabric, const std::vector<std::string>& only) {
  const Hosts hosts(fabric, only);
  const std::vector<std::string> names = switch_names(fabric);
  std::map<std::uint32_t, Branch> leaves;
  for (const auto& [name, leaf] : hosts.leaves()) leaves[leaf.value].hosts.push_back(name);
  std::set<std::uint32_t> with_hosts;
  for (const fabric::EndPort& end : fabric.end_ports()) {
    const fabric::Node& node = fabric.node(fabric.port(end.port).node);
    if (node.type == fabric::NodeType::ca && !fabric::is_aggregation_node(node))
      with_hosts.insert(end.sw.value);
  }
  const Groups groups(fabric.graph(), with_hosts);
  const fabric::Parts parts = fabric::parts(fabric.graph());
  std::vector<std::uint32_t> in_order;
  for (const auto& [sw, leaf] : leaves) in_order.push_back(sw);
  std::ranges::sort(in_order, {}, [&](std::uint32_t sw) { return fabric.node(SwitchId(sw)).guid.value; });

  std::map<std::uint32_t, std::pair<std::vector<Branch>, std::vector<int>>> by_part;
  std::vector<std::uint32_t> part_order;
  for (const std::uint32_t sw : in_order) {
    const std::uint32_t part = parts.of[sw];
    if (!by_part.contains(part)) part_order.push_back(part);
    Branch leaf = std::move(leaves[sw]);
    leaf.name = names[sw];
    by_part[part].first.push_back(std::move(leaf));
    by_part[part].second.push_back(groups.have_meaning() ? groups.of(sw) : 0);
  }
  Tree tree{.remarks = hosts.remarks()};
  for (const std::uint32_t part : part_order) {
    auto& [branches, group_of] = by_part[part];
    Branch root{std::string(kTop) + branches.front().name};
    root.below = grouped(std::move(branches), group_of);
    tree.roots.push_back(std::move(root));
  }
  return tree;
}

std::map<std::string, const Branch*> leaves_of(const Tree& tree) {
  std::map<std::string, const Branch*> leaves;
  for (const Branch& root : tree.roots) collect(root, leaves);
  return leaves;
}

}  // namespace rch::schedulers
