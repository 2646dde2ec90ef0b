#include "engines/pqft/structure_check.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/text.h"

namespace rch::engines::pqft {
namespace {

using common::Attempt;
using common::refuse;
using tree::Tree;

using Groups = std::span<const fabric::Neighbor>;

std::size_t count_links(Groups groups) {
  return std::accumulate(groups.begin(), groups.end(), std::size_t{0},
                         [](std::size_t sum, const fabric::Neighbor& n) { return sum + n.link_count; });
}

std::size_t max_links(Groups groups) {
  std::size_t max = 0;
  for (const fabric::Neighbor& n : groups) max = std::max<std::size_t>(max, n.link_count);
  return max;
}

class Check {
 public:
  Check(const Tree& tree, const Structure& structure) : tree_(tree), structure_(structure) {}

  Attempt<std::vector<std::string>> run() {
    const std::size_t levels = tree_.leaf_rank() + std::size_t{1};
    if (structure_.levels() != levels || tree_.max_rank() > tree_.leaf_rank())
      return refuse("structure-levels",
                    fmt::format("the structure has {}, the fabric {} from the roots to the leaves{}",
                                counted(structure_.levels(), "level"), levels,
                                tree_.max_rank() > tree_.leaf_rank() ? ", and switches below them" : ""));
    for (std::size_t level = 1; level <= levels; ++level)
      if (auto failure = check_level(level)) return tl::unexpected(std::move(*failure));
    return remarks();
  }

 private:
  using Failure = std::optional<EngineFailure>;

  std::size_t level_of(SwitchId sw) const { return tree_.leaf_rank() - tree_.rank(sw) + std::size_t{1}; }
  // By level, from 1.
  std::size_t children(std::size_t level) const { return structure_.children[level - 1]; }
  std::size_t parents(std::size_t level) const { return structure_.parents[level - 1]; }
  std::size_t cables(std::size_t level) const { return structure_.cables[level - 1]; }

  Failure check_level(std::size_t level) {
    std::vector<SwitchId> switches;
    std::ranges::copy_if(tree_.order(), std::back_inserter(switches),
                         [&](SwitchId sw) { return tree_.is_ranked(sw) && level_of(sw) == level; });
    if (auto failure = check_count(level, switches.size())) return failure;
    for (SwitchId sw : switches)
      if (auto failure = check_switch(sw, level)) return failure;
    return std::nullopt;
  }

  Failure check_count(std::size_t level, std::size_t seen) {
    double expected = 1;  // of eight factors, each below 255
    for (std::size_t l = 1; l <= structure_.levels(); ++l)
      expected *= static_cast<double>(l > level ? children(l) : parents(l));
    if (static_cast<double>(seen) > expected)
      return EngineFailure{.rule = "structure-switches",
                           .message = fmt::format("{} switches on level {}, where the structure has {}", seen,
                                                  level, expected),
                           .guids = {}};
    missing_switches_ += static_cast<std::size_t>(expected) - seen;
    return std::nullopt;
  }

  Failure check_switch(SwitchId sw, std::size_t level) {
    if (level < structure_.levels())
      if (auto failure = compare(sw, "structure-above", "above", tree_.up_groups(sw), parents(level + 1),
                                 cables(level + 1)))
        return failure;
    if (level > 1)
      return compare(sw, "structure-below", "below", tree_.down_groups(sw), children(level), cables(level));
    const std::size_t hosts = tree_.view().end_ports_of(sw).size();
    if (hosts <= children(1)) return std::nullopt;
    return failure(sw, "structure-hosts",
                   fmt::format("{} has {}, where the structure has {}", common::title(tree_.view(), sw),
                               counted(hosts, "end port"), children(1)));
  }

  /// A quasi fat tree may distribute the links of one port group over several.
  Failure compare(SwitchId sw, std::string_view rule, std::string_view side, Groups groups,
                  std::size_t expected_groups, std::size_t expected_links) {
    const std::size_t total = count_links(groups), expected = expected_groups * expected_links;
    const bool fits = structure_.quasi
                          ? total <= expected
                          : groups.size() <= expected_groups && max_links(groups) <= expected_links;
    if (!fits)
      return failure(sw, rule,
                     fmt::format("{} has {} to {} {} it, where the structure has {} to {}",
                                 common::title(tree_.view(), sw), counted(total, "cable"),
                                 counted(groups.size(), "switch"), side, expected, expected_groups));
    if (side == "above") missing_cables_ += expected - total;
    return std::nullopt;
  }

  Failure failure(SwitchId sw, std::string_view rule, std::string message) const {
    return EngineFailure{
        .rule = std::string(rule), .message = std::move(message), .guids = {tree_.view().node(sw).guid}};
  }

  std::vector<std::string> remarks() const {
    if (missing_cables_ + missing_switches_ == 0) return {};
    return {fmt::format("of the structure, {} and {} are missing", counted(missing_switches_, "switch"),
                        counted(missing_cables_, "cable"))};
  }

  const Tree& tree_;
  const Structure& structure_;
  std::size_t missing_switches_ = 0;
  std::size_t missing_cables_ = 0;  ///< between the switches that are there
};

}  // namespace

Attempt<std::vector<std::string>> check_structure(const Tree& tree, const Structure& structure) {
  return Check(tree, structure).run();
}

}  // namespace rch::engines::pqft
