#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engines/dfsssp/channel_loads.h"
#include "engines/dfsssp/counted_layers.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// The path from a switch with hosts by a destination tree.
struct TreePath {
  std::uint32_t tree;
  SwitchId from;
  friend auto operator<=>(const TreePath&, const TreePath&) = default;
};

/// Paths that have a place in the layer of their pair of switches, while some are taken out and get other
/// entries. Changes can be taken back. Keeps references.
class PlacedPaths {
 public:
  using ChannelId = common::ChannelId;

  /// `of_pair`: the layer by source switch, then destination. No path has a place yet.
  PlacedPaths(std::span<const std::uint8_t> of_pair, std::size_t layers, Routes& routes);

  const Routes& routes() const { return routes_; }
  Routes& routes() { return routes_; }
  const CountedLayers& layers() const { return layers_; }
  CountedLayers& layers() { return layers_; }
  std::uint64_t load(ChannelId c) const { return loads_[c.index()]; }
  /// Channels and trees looked at so far.
  std::uint64_t work() const { return work_ + layers_.work(); }
  /// Sum of the fourth powers of the loads.
  double cost() const { return cost_; }

  SwitchId to(std::uint32_t tree) const { return routes_.tree(tree).to; }
  std::size_t index(const TreePath& path) const {
    return path.tree * channels_.switch_count() + path.from.index();
  }
  std::size_t layer_of(const TreePath& path) const {
    return of_pair_[path.from.index() * channels_.switch_count() + to(path.tree).index()];
  }
  /// Hosts that send by the path; none to a switch without hosts.
  std::uint64_t flow(const TreePath& path) const {
    return routes_.tree(path.tree).host.is_none() ? 0 : hosts_[path.from.index()];
  }
  bool is_placed(const TreePath& path) const { return placed_[index(path)] != 0; }
  bool sends_by(std::uint32_t tree, ChannelId c) const {
    const SwitchId from = channels_.from(c);
    return from != to(tree) && routes_.sends(tree, from) && routes_.next(tree, from) == c;
  }
  /// The entries lead from the beginning of the path to the destination.
  bool arrives(const TreePath& path) const;

  /// Calls f(channel) along a path that arrives.
  template <class F>
  void for_each_channel(const TreePath& path, F&& f) const {
    for (SwitchId at = path.from; at != to(path.tree);) {
      const ChannelId c = routes_.next(path.tree, at);
      f(c);
      at = channels_.to(c);
    }
  }
  template <class F>
  void for_each_dependency(const TreePath& path, F&& f) const {
    ChannelId last = ChannelId::none();
    for_each_channel(path, [&](ChannelId c) {
      if (!last.is_none()) f(last, c);
      last = c;
    });
  }
  /// Paths of a tree that have a place and pass a switch, or begin there.
  std::vector<TreePath> behind(std::uint32_t tree, SwitchId sw);
  /// Paths that have a place in a layer and need the dependency.
  std::vector<TreePath> users_of(std::size_t layer, ChannelId c, ChannelId next);

  /// Gives a path its place, whose dependencies close no cycle with those of the layer.
  void place(const TreePath& path);
  /// Gives a path its place where that closes no cycle. If it would, calls make_room(layer, channels in a
  /// row), from the last channel of the dependency to its first, until there is none; false: there is no
  /// room, and the path has no place.
  template <class MakeRoom>
  bool try_place(const TreePath& path, MakeRoom&& make_room);
  bool try_place(const TreePath& path) {
    return try_place(path, [](std::size_t, const std::vector<ChannelId>&) { return false; });
  }
  void take_out(const TreePath& path);
  /// The switch that the channel leaves sends by it. No path that passes it has a place.
  void set_entry(std::uint32_t tree, ChannelId c);

  /// take_back() returns to this state.
  void checkpoint() { changes_.clear(); }
  void take_back();

 private:
  struct Change {
    enum class Kind : std::uint8_t { entry, placed, taken_out } kind;
    TreePath path;  ///< or whose entry changed
    std::uint8_t output_before = 0;
  };

  void count(const TreePath& path, bool more);
  /// The same but for dependencies.
  void count_flows(const TreePath& path, bool more);
  void note_placed(const TreePath& path);

  const std::span<const std::uint8_t> of_pair_;
  Routes& routes_;
  const common::Channels& channels_;
  CountedLayers layers_;
  const std::vector<std::uint64_t> hosts_;  ///< by switch
  ChannelLoads loads_;
  double cost_ = 0;
  std::vector<std::uint8_t> placed_;  ///< by tree, then source
  std::vector<Change> changes_;       ///< since the checkpoint
  std::vector<SwitchId> reached_;
  std::uint64_t work_ = 0;
};

template <class MakeRoom>
bool PlacedPaths::try_place(const TreePath& path, MakeRoom&& make_room) {
  const std::size_t layer = layer_of(path);
  std::vector<std::pair<ChannelId, ChannelId>> added;
  bool fits = true;
  // What is known to close a cycle comes first: the layer stays as it is where there is no room.
  for_each_dependency(path, [&](ChannelId c, ChannelId next) {
    if (fits && layers_.is_known_to_close_cycle(layer, c, next))
      fits = make_room(layer, layers_.find_way(layer, next, c));
  });
  for_each_dependency(path, [&](ChannelId c, ChannelId next) {
    while (fits && !layers_.has(layer, c, next)) {
      const std::vector<ChannelId> way = layers_.find_way(layer, next, c);
      if (way.empty()) break;
      fits = make_room(layer, way);
    }
    if (!fits) return;
    layers_.add(layer, c, next);
    added.emplace_back(c, next);
  });
  if (fits)
    note_placed(path);
  else
    for (const auto& [c, next] : added) layers_.remove(layer, c, next);
  return fits;
}

}  // namespace rch::engines::dfsssp
