#include "schedulers/slurm.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "schedulers/host_list.h"

namespace rch::schedulers {
namespace {

/// Calls `use` with each branch, those below a branch before it.
void upwards(const std::vector<Branch>& branches, const std::function<void(const Branch&)>& use) {
  for (const Branch& branch : branches) {
    upwards(branch.below, use);
    use(branch);
  }
}

std::string names_of(const std::vector<Branch>& branches) {
  std::vector<std::string> names;
  for (const Branch& branch : branches) names.push_back(branch.name);
  return folded(std::move(names));
}

}  // namespace

std::string slurm_tree(const Tree& tree) {
  std::string text;
  upwards(tree.roots, [&](const Branch& branch) {
    text += branch.below.empty()
                ? fmt::format("SwitchName={} Nodes={}\n", branch.name, folded(branch.hosts))
                : fmt::format("SwitchName={} Switches={}\n", branch.name, names_of(branch.below));
  });
  return text;
}

std::string slurm_tree_yaml(const Tree& tree, const std::string& name) {
  std::string text = fmt::format("- topology: {}\n  cluster_default: true\n  tree:\n    switches:\n", name);
  upwards(tree.roots, [&](const Branch& branch) {
    text += fmt::format("      - switch: \"{}\"\n        {}: \"{}\"\n", branch.name,
                        branch.below.empty() ? "nodes" : "children",
                        branch.below.empty() ? folded(branch.hosts) : names_of(branch.below));
  });
  return text;
}

std::string slurm_blocks(const Tree& tree) {
  std::string text;
  std::size_t smallest = 0;
  upwards(tree.roots, [&](const Branch& branch) {
    if (!branch.below.empty()) return;
    text += fmt::format("BlockName={} Nodes={}\n", branch.name, folded(branch.hosts));
    smallest = smallest == 0 ? branch.hosts.size() : std::min(smallest, branch.hosts.size());
  });
  return text + fmt::format("BlockSizes={}\n", smallest);
}

}  // namespace rch::schedulers
