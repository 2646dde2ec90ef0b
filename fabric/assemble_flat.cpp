// Topologies of few hops: dragonflies, slim flies, random graphs.

#include "fabric/assemble.h"
#include "fabric/galois_field.h"
#include "fabric/random_graph.h"

namespace rch::fabric {
namespace {

/// Joins every two of `groups` by as many links as `ends` link ends of each group allow. end(group, i) is the
/// switch of the i-th end.
template <class End>
void join_groups(std::uint32_t groups, std::uint32_t ends, const End& end, Assembly& assembly) {
  const std::uint32_t copies = ends / (groups - 1);
  for (std::uint32_t a = 0; a < groups; ++a)
    for (std::uint32_t b = a + 1; b < groups; ++b)
      for (std::uint32_t c = 0; c < copies; ++c)
        assembly.join(end(a, (b - 1) * copies + c), end(b, a * copies + c));
}

/// Powers of the generator of the field with exponents first, first + 2, ... below last.
void append_powers(const GaloisField& field, std::uint32_t first, std::uint32_t last,
                   std::vector<std::uint32_t>& powers) {
  for (std::uint32_t e = first; e < last; e += 2) powers.push_back(field.power(e));
}

/// The two sets of generators of the Cayley graphs inside both halves (Besta & Hoefler 2014, II.B).
std::array<std::vector<std::uint32_t>, 2> generator_sets(const GaloisField& field) {
  const std::uint32_t q = field.size();
  std::array<std::vector<std::uint32_t>, 2> sets;
  for (const std::uint32_t half : {0U, 1U})
    if (q % 4 == 3) {
      const std::uint32_t middle = (q - 1) / 2;
      append_powers(field, half, middle + half, sets[half]);
      append_powers(field, middle + half, q - 1 + half, sets[half]);
    } else {
      append_powers(field, half, q - 1 + (q % 4 == 0 ? half : 0), sets[half]);
    }
  return sets;
}

}  // namespace

void assemble(const Dragonfly& dragonfly, Assembly& assembly) {
  const auto& [groups, routers, global_links] = dragonfly;
  const std::uint64_t links = routers - 1 + std::uint64_t{global_links};
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t r = 0; r < routers; ++r)
      assembly.add_switch(fmt::format("df_{}_{}", g, r),
                          assembly.options().hosts + links * assembly.options().parallel);
  const auto router = [&](std::uint32_t g, std::uint32_t r) {
    return std::size_t{g} * dragonfly.routers + r;
  };
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t a = 0; a < routers; ++a)
      for (std::uint32_t b = a + 1; b < routers; ++b) assembly.join(router(g, a), router(g, b));
  join_groups(
      groups, routers * global_links,
      [&](std::uint32_t g, std::uint32_t i) { return router(g, i / dragonfly.global_links); }, assembly);
  for (std::size_t i = 0; i < std::size_t{groups} * routers; ++i) assembly.add_hosts(i);
}

void assemble(const DragonflyPlus& dragonfly, Assembly& assembly) {
  const auto& [groups, leaves, spines, global_links] = dragonfly;
  const std::uint64_t parallel = assembly.options().parallel;
  for (std::uint32_t g = 0; g < groups; ++g) {
    for (std::uint32_t i = 0; i < leaves; ++i)
      assembly.add_switch(fmt::format("leaf{}_{}", g, i), assembly.options().hosts + spines * parallel);
    for (std::uint32_t i = 0; i < spines; ++i)
      assembly.add_switch(fmt::format("spine{}_{}", g, i), (leaves + std::uint64_t{global_links}) * parallel);
  }
  const std::size_t size = std::size_t{leaves} + spines;
  for (std::uint32_t g = 0; g < groups; ++g)
    for (std::uint32_t i = 0; i < leaves; ++i) {
      assembly.add_hosts(g * size + i);
      for (std::uint32_t j = 0; j < spines; ++j) assembly.join(g * size + i, g * size + leaves + j);
    }
  join_groups(
      groups, spines * global_links,
      [&](std::uint32_t g, std::uint32_t i) {
        return g * size + dragonfly.leaves + i / dragonfly.global_links;
      },
      assembly);
}

void assemble(const SlimFly& fly, Assembly& assembly) {
  const GaloisField field = *GaloisField::of(fly.q);
  const std::uint32_t q = fly.q;
  const auto sets = generator_sets(field);
  const std::uint64_t links = (q + sets[0].size()) * assembly.options().parallel;
  const auto at = [&](std::uint32_t half, std::uint32_t column, std::uint32_t row) {
    return (std::size_t{half} * q + column) * q + row;
  };
  for (const char* half : {"a", "b"})
    for (std::uint32_t column = 0; column < q; ++column)
      for (std::uint32_t row = 0; row < q; ++row)
        assembly.add_switch(fmt::format("sf{}_{}_{}", half, column, row), links + assembly.options().hosts);
  for (const std::uint32_t half : {0U, 1U})
    for (std::uint32_t column = 0; column < q; ++column)
      for (std::uint32_t row = 0; row < q; ++row)
        for (const std::uint32_t step : sets[half])
          if (const std::uint32_t to = field.add(row, step); row < to)
            assembly.join(at(half, column, row), at(half, column, to));
  for (std::uint32_t x = 0; x < q; ++x)
    for (std::uint32_t m = 0; m < q; ++m)
      for (std::uint32_t c = 0; c < q; ++c)
        assembly.join(at(0, x, field.add(field.multiply(m, x), c)), at(1, m, c));
  for (std::size_t i = 0; i < 2 * std::size_t{q} * q; ++i) assembly.add_hosts(i);
}

void assemble(const RandomRegular& graph, Assembly& assembly) {
  const std::uint64_t links = std::uint64_t{graph.degree} * assembly.options().parallel;
  for (std::uint32_t i = 0; i < graph.switches; ++i)
    assembly.add_switch(fmt::format("rnd{:02d}", i), links + assembly.options().hosts);
  for (const auto& [a, b] : random_regular_graph(graph.switches, graph.degree, graph.seed))
    assembly.join(a, b);
  for (std::uint32_t i = 0; i < graph.switches; ++i) assembly.add_hosts(i);
}

}  // namespace rch::fabric
