// Topologies of levels.

#include "fabric/assemble.h"

namespace rch::fabric {

void assemble(const Clos& clos, Assembly& assembly) {
  const std::uint32_t hosts = assembly.options().hosts, parallel = assembly.options().parallel;
  for (std::uint32_t i = 0; i < clos.leaves; ++i)
    assembly.add_switch(fmt::format("leaf{:02d}", i), hosts + std::uint64_t{clos.spines} * parallel);
  for (std::uint32_t j = 0; j < clos.spines; ++j)
    assembly.add_switch(fmt::format("spine{:02d}", j), std::uint64_t{clos.leaves} * parallel);
  for (std::uint32_t i = 0; i < clos.leaves; ++i) {
    assembly.add_hosts(i, 1, hosts);
    for (std::uint32_t j = 0; j < clos.spines; ++j)
      assembly.join(i, hosts + j * parallel + 1, clos.leaves + j, i * parallel + 1);
  }
}

void assemble(const FatTree& tree, Assembly& assembly) {
  const std::uint32_t parallel = assembly.options().parallel;
  const std::uint32_t k = tree.k, half = k / 2;
  const std::uint64_t ports = half + std::uint64_t{half} * parallel;
  const std::uint32_t edges = 0, aggs = k * half, cores = 2 * k * half;
  for (std::uint32_t p = 0; p < k; ++p)
    for (std::uint32_t i = 0; i < half; ++i) assembly.add_switch(fmt::format("edge{}_{}", p, i), ports);
  for (std::uint32_t p = 0; p < k; ++p)
    for (std::uint32_t i = 0; i < half; ++i)
      assembly.add_switch(fmt::format("agg{}_{}", p, i), std::uint64_t{k} * parallel);
  for (std::uint32_t i = 0; i < half * half; ++i)
    assembly.add_switch(fmt::format("core{:02d}", i), std::uint64_t{k} * parallel);
  for (std::uint32_t p = 0; p < k; ++p)
    for (std::uint32_t i = 0; i < half; ++i) {
      const std::uint32_t edge = edges + p * half + i, agg = aggs + p * half + i;
      assembly.add_hosts(edge, 1, half);
      for (std::uint32_t j = 0; j < half; ++j) {
        assembly.join(edge, half + j * parallel + 1, aggs + p * half + j, i * parallel + 1);
        assembly.join(agg, (half + j) * parallel + 1, cores + i * half + j, p * parallel + 1);
      }
    }
}

void assemble(const RailTree& tree, Assembly& assembly) {
  const std::uint32_t hosts = assembly.options().hosts, parallel = assembly.options().parallel;
  const std::uint32_t leaves = tree.units * tree.rails;
  for (std::uint32_t u = 0; u < tree.units; ++u)
    for (std::uint32_t r = 0; r < tree.rails; ++r)
      assembly.add_switch(fmt::format("leaf{}_{}", u, r), hosts + std::uint64_t{tree.spines} * parallel);
  for (std::uint32_t s = 0; s < tree.spines; ++s)
    assembly.add_switch(fmt::format("spine{:02d}", s), std::uint64_t{leaves} * parallel);
  for (std::uint32_t u = 0; u < tree.units; ++u)
    for (std::uint32_t h = 0; h < hosts; ++h)
      assembly.add_rail_host(std::size_t{u} * tree.rails, tree.rails, h + 1);
  for (std::uint32_t i = 0; i < leaves; ++i)
    for (std::uint32_t s = 0; s < tree.spines; ++s)
      assembly.join(i, hosts + s * parallel + 1, leaves + s, i * parallel + 1);
}

}  // namespace rch::fabric
