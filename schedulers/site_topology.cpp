#include "schedulers/site_topology.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "schedulers/host_list.h"

namespace rch::schedulers {
namespace {

tl::unexpected<Error> wrong_line(std::size_t number, std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("line {}: {}", number, why));
}

/// The next word of a line, cut off from it; empty: there is none.
std::string_view next_word(std::string_view& line) {
  line = trim(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

Result<void> take(SiteTopology::Switch& sw, std::string_view word, std::size_t number) {
  const std::size_t sign = word.find('=');
  const std::string key = to_lower(word.substr(0, sign));
  if (sign == std::string_view::npos)
    return wrong_line(number, fmt::format("`{}` has no `=`", printable(word)));
  const std::string_view value = word.substr(sign + 1);
  if (key == "switchname") {
    sw.name = value;
    return {};
  }
  if (key == "linkspeed") return {};
  if (key != "nodes" && key != "switches")
    return wrong_line(number, fmt::format("`{}` is no key of a tree", printable(word.substr(0, sign))));
  auto names = unfolded(value);
  if (!names) return wrong_line(number, names.error().message);
  (key == "nodes" ? sw.hosts : sw.below) = std::move(*names);
  return {};
}

}  // namespace

Result<SiteTopology> read_site_topology(std::string_view text) {
  SiteTopology site;
  std::string whole;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++number;
    std::string_view part = text.substr(0, end);
    part = trim(part.substr(0, part.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool goes_on = part.ends_with('\\') && !text.empty();
    whole += std::string(goes_on ? part.substr(0, part.size() - 1) : part);
    if (goes_on) continue;
    SiteTopology::Switch sw;
    std::string_view rest = whole;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest))
      if (const auto taken = take(sw, word, number); !taken) return tl::unexpected(taken.error());
    if (!trim(whole).empty()) {
      if (sw.name.empty()) return wrong_line(number, "no `SwitchName=`");
      site.switches.push_back(std::move(sw));
    }
    whole.clear();
  }
  return site;
}

namespace {

/// Where the hosts of a file lie, and what is wrong with it.
class SiteIndex {
 public:
  explicit SiteIndex(const SiteTopology& site) {
    std::set<std::string> names;
    for (const SiteTopology::Switch& sw : site.switches)
      if (!names.insert(sw.name).second)
        faults_.push_back(fmt::format("switch `{}` occurs twice in the file", sw.name));
    for (const SiteTopology::Switch& sw : site.switches) {
      for (const std::string& below : sw.below) add(parent_, "switch", below, sw.name);
      for (const std::string& below : sw.below)
        if (!names.contains(below)) faults_.push_back(fmt::format("the file names no switch `{}`", below));
      for (const std::string& host : sw.hosts) add(leaf_, "host", host, sw.name);
    }
  }

  /// By host: its switch.
  const std::map<std::string, std::string>& leaf() const { return leaf_; }
  const std::vector<std::string>& faults() const { return faults_; }
  /// The switch above all others above this one.
  std::string root_of(std::string sw) const {
    for (std::size_t steps = 0; steps <= parent_.size(); ++steps) {
      const auto above = parent_.find(sw);
      if (above == parent_.end()) break;
      sw = above->second;
    }
    return sw;
  }

 private:
  void add(std::map<std::string, std::string>& places, std::string_view what, const std::string& name,
           const std::string& sw) {
    if (const auto [at, is_new] = places.emplace(name, sw); !is_new && at->second != sw)
      faults_.push_back(
          fmt::format("{} `{}` is under both `{}` and `{}` in the file", what, name, at->second, sw));
  }

  std::map<std::string, std::string> leaf_, parent_;
  std::vector<std::string> faults_;
};

/// By leaf of the fabric: the switch of the file that has most of its hosts.
std::map<std::string, std::string> counterparts(const std::map<std::string, const Branch*>& leaves,
                                                const SiteIndex& site) {
  std::map<std::string, std::map<std::string, std::size_t>> shared;
  for (const auto& [host, leaf] : leaves)
    if (const auto at = site.leaf().find(host); at != site.leaf().end()) ++shared[leaf->name][at->second];
  std::map<std::string, std::string> found;
  for (const auto& [leaf, switches] : shared)
    found[leaf] =
        std::ranges::max_element(switches, {}, [](const auto& entry) { return entry.second; })->first;
  return found;
}

void collect_hosts(const Branch& branch, std::vector<std::string>& hosts) {
  hosts.insert(hosts.end(), branch.hosts.begin(), branch.hosts.end());
  for (const Branch& below : branch.below) collect_hosts(below, hosts);
}

/// Parts of the fabric against roots of the file.
void compare_parts(const Tree& tree, const SiteIndex& site, std::vector<std::string>& found) {
  std::map<std::string, std::pair<std::size_t, std::string>> part_of_root;  // with a host
  for (std::size_t part = 0; part < tree.roots.size(); ++part) {
    std::vector<std::string> hosts;
    collect_hosts(tree.roots[part], hosts);
    std::optional<std::pair<std::string, std::string>> first;  // root and host
    for (const std::string& host : hosts) {
      const auto at = site.leaf().find(host);
      if (at == site.leaf().end()) continue;
      const std::string root = site.root_of(at->second);
      if (!first) first = std::pair(root, host);
      if (root != first->first) {
        found.push_back(fmt::format("cables join `{}` and `{}`, and the file has no switch above both",
                                    first->second, host));
        break;
      }
    }
    if (!first) continue;
    if (const auto [at, is_new] = part_of_root.emplace(first->first, std::pair(part, first->second)); !is_new)
      found.push_back(fmt::format("no cables join `{}` and `{}`, and the file has both below `{}`",
                                  at->second.second, first->second, first->first));
  }
}

}  // namespace

std::vector<std::string> differences(const Tree& tree, const SiteTopology& site) {
  const SiteIndex index(site);
  const auto leaves = leaves_of(tree);
  const auto counterpart = counterparts(leaves, index);
  std::vector<std::string> found = index.faults();
  std::map<std::string, std::string> leaf_of_switch;
  for (const auto& [leaf, sw] : counterpart)
    if (const auto [at, is_new] = leaf_of_switch.emplace(sw, leaf); !is_new)
      found.push_back(fmt::format("switch `{}` of the file has the hosts of two leaves, `{}` and `{}`", sw,
                                  at->second, leaf));
  for (const auto& [host, leaf] : leaves) {
    const auto at = index.leaf().find(host);
    if (at == index.leaf().end())
      found.push_back(fmt::format("host `{}` on `{}` is not in the file", host, leaf->name));
    else if (at->second != counterpart.at(leaf->name))
      found.push_back(
          fmt::format("host `{}` is on `{}`, and the file has it under `{}`", host, leaf->name, at->second));
  }
  for (const auto& [host, sw] : index.leaf())
    if (!leaves.contains(host))
      found.push_back(fmt::format("host `{}` of the file is not in the fabric", host));
  compare_parts(tree, index, found);
  return found;
}

}  // namespace rch::schedulers
