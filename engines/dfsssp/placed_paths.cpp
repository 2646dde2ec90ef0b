#include "engines/dfsssp/placed_paths.h"

#include <algorithm>

namespace rch::engines::dfsssp {

using common::ChannelId;

PlacedPaths::PlacedPaths(std::span<const std::uint8_t> of_pair, std::size_t layers, Routes& routes)
    : of_pair_(of_pair),
      routes_(routes),
      channels_(routes.channels()),
      layers_(channels_, layers),
      hosts_(host_counts(routes.view())),
      loads_(channels_.size()),
      placed_(routes.tree_count() * channels_.switch_count()) {}

bool PlacedPaths::arrives(const TreePath& path) const {
  SwitchId at = path.from;
  for (std::size_t hops = 0; hops < channels_.switch_count() && at != to(path.tree); ++hops) {
    if (!routes_.sends(path.tree, at)) return false;
    at = channels_.to(routes_.next(path.tree, at));
  }
  return at == to(path.tree);
}

std::vector<TreePath> PlacedPaths::behind(std::uint32_t tree, SwitchId sw) {
  std::vector<TreePath> paths;
  reached_.assign(1, sw);
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    if (is_placed({tree, reached_[i]})) paths.push_back({tree, reached_[i]});
    channels_.for_each_leaving(reached_[i], [&](ChannelId c) {
      if (channels_.to(c) != sw && sends_by(tree, channels_.back(c))) reached_.push_back(channels_.to(c));
    });
    work_ += channels_.degree(reached_[i]);
  }
  return paths;
}

std::vector<TreePath> PlacedPaths::users_of(std::size_t layer, ChannelId c, ChannelId next) {
  std::vector<TreePath> users;
  work_ += routes_.tree_count();
  for (std::uint32_t tree = 0; tree < routes_.tree_count(); ++tree) {
    if (!sends_by(tree, c) || !sends_by(tree, next)) continue;
    for (const TreePath& path : behind(tree, channels_.from(c)))
      if (layer_of(path) == layer) users.push_back(path);
  }
  return users;
}

void PlacedPaths::place(const TreePath& path) {
  const std::size_t layer = layer_of(path);
  for_each_dependency(path, [&](ChannelId c, ChannelId next) { layers_.add(layer, c, next); });
  note_placed(path);
}

void PlacedPaths::note_placed(const TreePath& path) {
  count_flows(path, true);
  changes_.push_back({Change::Kind::placed, path});
}

void PlacedPaths::take_out(const TreePath& path) {
  count(path, false);
  changes_.push_back({Change::Kind::taken_out, path});
}

void PlacedPaths::set_entry(std::uint32_t tree, ChannelId c) {
  const SwitchId sw = channels_.from(c);
  changes_.push_back({Change::Kind::entry, {tree, sw}, routes_.outputs(tree)[sw.index()]});
  routes_.set_next(tree, c);
}

void PlacedPaths::take_back() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    const TreePath& path = change->path;
    if (change->kind == Change::Kind::entry)
      routes_.outputs(path.tree)[path.from.index()] = change->output_before;
    else
      count(path, change->kind == Change::Kind::taken_out);
  }
  changes_.clear();
}

void PlacedPaths::count(const TreePath& path, bool more) {
  const std::size_t layer = layer_of(path);
  for_each_dependency(path, [&](ChannelId c, ChannelId next) {
    more ? layers_.add(layer, c, next) : layers_.remove(layer, c, next);
  });
  count_flows(path, more);
}

void PlacedPaths::count_flows(const TreePath& path, bool more) {
  const auto power = [](std::uint64_t load) {
    const auto x = static_cast<double>(load);
    return x * x * x * x;
  };
  placed_[index(path)] = more ? 1 : 0;
  for_each_channel(path, [&](ChannelId c) {
    std::uint64_t& load = loads_[c.index()];
    cost_ -= power(load);
    load = more ? load + flow(path) : load - flow(path);
    cost_ += power(load);
  });
}

}  // namespace rch::engines::dfsssp
