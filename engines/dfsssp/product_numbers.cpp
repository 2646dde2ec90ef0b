#include "engines/dfsssp/product_numbers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace rch::engines::dfsssp {
namespace {

constexpr std::uint16_t kUnknown = fabric::SlRule::kNoCoordinate;

/// By coordinate of a factor, the coordinate in a dimension of the installed rule. Nothing if the dimension
/// is not the factor.
std::optional<std::vector<std::uint16_t>> former_coordinates(const fabric::SlRule::Dimension& dimension,
                                                             std::span<const SwitchId> before,
                                                             const Product::Factor& factor) {
  if (dimension.radix != factor.size) return std::nullopt;
  std::vector<std::uint16_t> former(factor.size, kUnknown), now(factor.size, kUnknown);
  for (std::size_t s = 0; s < before.size(); ++s) {
    if (before[s].is_none()) continue;
    const std::uint16_t then = dimension.coordinate[before[s].index()], at = factor.coordinate[s];
    if (then >= factor.size) return std::nullopt;
    if (former[at] == kUnknown && now[then] == kUnknown) {
      former[at] = then;
      now[then] = at;
    }
    if (former[at] != then) return std::nullopt;
  }
  if (std::ranges::find(former, kUnknown) != former.end()) return std::nullopt;
  return former;
}

void renumber(const std::vector<std::uint16_t>& former, Product::Factor& factor) {
  for (std::uint16_t& coordinate : factor.coordinate) coordinate = former[coordinate];
  std::vector<std::pair<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t>> edges;
  for (std::size_t e = 0; e < factor.edges.size(); ++e) {
    const std::uint16_t a = former[factor.edges[e].first], b = former[factor.edges[e].second];
    edges.push_back({{std::min(a, b), std::max(a, b)}, factor.joined[e]});
  }
  std::ranges::sort(edges);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    factor.edges[e] = edges[e].first;
    factor.joined[e] = edges[e].second;
  }
}

}  // namespace

FactorLayers number_as_installed(const fabric::SlRule& sl, std::span<const SwitchId> before,
                                 Product& product) {
  const std::size_t count = product.factors.size();
  std::vector<std::size_t> places;                      // of factors that the rule knows
  std::vector<std::pair<std::size_t, std::size_t>> of;  // a dimension, then its factor
  std::vector<bool> taken(sl.dimensions.size());
  for (std::size_t f = 0; f < count; ++f)
    for (std::size_t d = 0; d < taken.size(); ++d) {
      if (taken[d]) continue;
      const auto former = former_coordinates(sl.dimensions[d], before, product.factors[f]);
      if (!former) continue;
      renumber(*former, product.factors[f]);
      taken[d] = true;
      places.push_back(f);
      of.emplace_back(d, f);
      break;
    }
  std::ranges::sort(of, {}, [&](const auto& pair) { return sl.dimensions[pair.first].bit; });
  FactorLayers layers(count);
  std::vector<Product::Factor> ordered = product.factors;
  for (std::size_t i = 0; i < places.size(); ++i) {
    ordered[places[i]] = product.factors[of[i].second];
    layers[places[i]] = sl.dimensions[of[i].first].crosses;
  }
  product.factors = std::move(ordered);
  return layers;
}

}  // namespace rch::engines::dfsssp
