// Groups by modularity (Blondel et al. 2008): a switch joins the neighboring group in which it has the most
// cables beyond what chance would give it; then groups are taken for switches, and it begins again.

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "report/part.h"

namespace rch::report {
namespace {

/// Nodes with weighted edges; an edge to itself counts cables inside the node, from both ends.
struct WeightedGraph {
  std::vector<std::map<std::uint32_t, double>> edges;
  std::vector<double> degree;
  double ends = 0;

  explicit WeightedGraph(std::size_t nodes) : edges(nodes), degree(nodes) {}
  void add(std::uint32_t a, std::uint32_t b, double weight) {
    edges[a][b] += weight;
    degree[a] += weight;
    ends += weight;
  }
};

/// Moves nodes between groups while that gains. Returns the group of each, numbered from 0.
std::vector<std::uint32_t> move_nodes(const WeightedGraph& graph) {
  const auto count = static_cast<std::uint32_t>(graph.degree.size());
  std::vector<std::uint32_t> group(count);
  std::iota(group.begin(), group.end(), 0U);
  std::vector<double> total = graph.degree;
  constexpr int kRounds = 30;
  bool moves = graph.ends > 0;
  for (int round = 0; moves && round < kRounds; ++round) {
    moves = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      std::map<std::uint32_t, double> near;
      for (const auto& [other, weight] : graph.edges[i])
        if (other != i) near[group[other]] += weight;
      total[group[i]] -= graph.degree[i];
      const auto gain = [&](std::uint32_t to) {
        const auto found = near.find(to);
        return (found == near.end() ? 0 : found->second) - total[to] * graph.degree[i] / graph.ends;
      };
      std::uint32_t best = group[i];
      double most = gain(best);
      for (const auto& [to, weight] : near)
        if (const double its = gain(to); its > most + 1e-9) {
          most = its;
          best = to;
        }
      moves = moves || best != group[i];
      group[i] = best;
      total[best] += graph.degree[i];
    }
  }
  std::map<std::uint32_t, std::uint32_t> number;
  for (std::uint32_t& g : group)
    g = number.try_emplace(g, static_cast<std::uint32_t>(number.size())).first->second;
  return group;
}

std::vector<std::uint32_t> groups_of(const Part& part) {
  WeightedGraph graph(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i)
    for (const std::uint32_t next : part.neighbors[i]) graph.add(i, next, 1);
  std::vector<std::uint32_t> of(part.size());
  std::iota(of.begin(), of.end(), 0U);
  while (true) {
    const std::vector<std::uint32_t> merged = move_nodes(graph);
    const std::uint32_t count = merged.empty() ? 0 : *std::ranges::max_element(merged) + 1;
    for (std::uint32_t& g : of) g = merged[g];
    if (count == merged.size() || count == 0) return of;
    WeightedGraph next(count);
    for (std::uint32_t i = 0; i < merged.size(); ++i)
      for (const auto& [other, weight] : graph.edges[i]) next.add(merged[i], merged[other], weight);
    graph = std::move(next);
  }
}

/// So far from the middle of a ring that `count` things of that size have room.
float radius_for(std::size_t count, float size) {
  return count < 2 ? 0.0F : std::max(size * static_cast<float>(count) / 6.0F, size * 0.7F);
}

struct Point {
  float x = 0, y = 0;
};
Point on_ring(std::size_t place, std::size_t count, float radius) {
  const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(place) / static_cast<float>(count) -
                      std::numbers::pi_v<float> / 2;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace

Drawing draw_groups(const Part& part) {
  const std::vector<std::uint32_t> of = groups_of(part);
  std::vector<std::vector<std::uint32_t>> members(*std::ranges::max_element(of) + 1U);
  for (std::uint32_t i = 0; i < part.size(); ++i) members[of[i]].push_back(i);
  float widest = 0;
  for (const auto& group : members) widest = std::max(widest, radius_for(group.size(), 1.4F));
  const float radius = radius_for(members.size(), 2 * widest + 2.6F);
  Drawing drawing;
  drawing.x.resize(part.size());
  drawing.y.resize(part.size());
  for (std::size_t g = 0; g < members.size(); ++g) {
    const Point middle = on_ring(g, members.size(), radius);
    const float own = radius_for(members[g].size(), 1.4F);
    for (std::size_t k = 0; k < members[g].size(); ++k) {
      const Point at = on_ring(k, members[g].size(), own);
      drawing.x[members[g][k]] = middle.x + at.x;
      drawing.y[members[g][k]] = middle.y + at.y;
    }
    const float edge = own + 1;
    if (members.size() > 1)
      drawing.groups.push_back({middle.x - edge, middle.y - edge, middle.x + edge, middle.y + edge});
  }
  return drawing;
}

}  // namespace rch::report
