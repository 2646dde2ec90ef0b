// A circulant graph is regular and connected; swapping the ends of random pairs of edges keeps every degree.
// Swaps go on in rounds until the result is connected again, which nearly always is after the first.

#include "fabric/random_graph.h"

#include <algorithm>
#include <set>

#include "fabric/random.h"

namespace rch::fabric {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge sorted(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

std::vector<Edge> circulant(std::uint32_t nodes, std::uint32_t degree) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    for (std::uint32_t step = 1; step <= degree / 2; ++step) edges.push_back(sorted(i, (i + step) % nodes));
    if (degree % 2 != 0 && i < nodes / 2) edges.push_back({i, i + nodes / 2});
  }
  return edges;
}

bool connected(std::uint32_t nodes, const std::vector<Edge>& edges) {
  std::vector<std::uint32_t> root(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) root[i] = i;
  const auto find = [&](std::uint32_t at) {
    while (root[at] != at) at = root[at] = root[root[at]];
    return at;
  };
  std::uint32_t parts = nodes;
  for (const auto& [a, b] : edges) {
    const std::uint32_t x = find(a), y = find(b);
    if (x == y) continue;
    root[x] = y;
    --parts;
  }
  return parts == 1;
}

void swap_ends(std::vector<Edge>& edges, std::set<Edge>& present, Random& random) {
  for (std::size_t round = 0; round < 10 * edges.size(); ++round) {
    Edge& first = edges[random.below(edges.size())];
    Edge& second = edges[random.below(edges.size())];
    const auto [a, b] = first;
    const auto [c, d] = random.below(2) == 0 ? second : Edge{second.second, second.first};
    const Edge one = sorted(a, d), other = sorted(c, b);
    if (a == d || b == c || present.contains(one) || present.contains(other) || one == other) continue;
    present.erase(first);
    present.erase(second);
    present.insert(one);
    present.insert(other);
    first = one;
    second = other;
  }
}

}  // namespace

std::vector<Edge> random_regular_graph(std::uint32_t nodes, std::uint32_t degree, std::uint64_t seed) {
  std::vector<Edge> edges = circulant(nodes, degree);
  std::set<Edge> present(edges.begin(), edges.end());
  Random random(seed);
  do swap_ends(edges, present, random);
  while (!connected(nodes, edges));
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace rch::fabric
