// Topologies of coordinates: neighbours differ in one.

#include "fabric/assemble.h"
#include "fabric/grid_index.h"

namespace rch::fabric {

void assemble(const Grid& grid, Assembly& assembly) {
  const std::uint32_t hosts = assembly.options().hosts, parallel = assembly.options().parallel;
  const GridIndex index(grid);
  const auto count = static_cast<std::uint32_t>(index.size());
  std::array<std::uint32_t, 3> first_port{};  // of the links in positive direction
  std::uint32_t next = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    first_port[d] = next;
    if (index.dimension(d).radix > 1) next += 2 * parallel;
  }
  for (std::uint32_t i = 0; i < count; ++i)
    assembly.add_switch(grid_name(index.position(i)), next - 1 + std::uint64_t{hosts});
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::size_t d = 0; d < 3; ++d)
      if (const auto up = index.neighbor(index.position(i), d, true))
        assembly.join(i, first_port[d], index.index(*up), first_port[d] + parallel);
  for (std::uint32_t i = 0; i < count; ++i) assembly.add_hosts(i, next, hosts);
}

void assemble(const Hypercube& cube, Assembly& assembly) {
  const std::uint32_t hosts = assembly.options().hosts, parallel = assembly.options().parallel;
  const std::uint32_t count = 1U << cube.dimensions;
  const std::uint32_t links = cube.dimensions * parallel;
  for (std::uint32_t i = 0; i < count; ++i)
    assembly.add_switch(fmt::format("hc_{:0{}b}", i, cube.dimensions), links + std::uint64_t{hosts});
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t d = 0; d < cube.dimensions; ++d)
      if ((i >> d & 1U) == 0) assembly.join(i, d * parallel + 1, i | 1U << d, d * parallel + 1);
  for (std::uint32_t i = 0; i < count; ++i) assembly.add_hosts(i, links + 1, hosts);
}

void assemble(const HyperX& hyperx, Assembly& assembly) {
  std::uint32_t count = 1;
  std::uint64_t ports = assembly.options().hosts;
  for (const std::uint32_t width : hyperx.widths) {
    count *= width;
    ports += std::uint64_t{width - 1} * assembly.options().parallel;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string name = "hx";
    std::uint32_t stride = count;
    for (const std::uint32_t width : hyperx.widths) {
      stride /= width;
      name += fmt::format("_{}", i / stride % width);
    }
    assembly.add_switch(name, ports);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t stride = count;
    for (const std::uint32_t width : hyperx.widths) {
      stride /= width;
      for (std::uint32_t step = 1; step < width - i / stride % width; ++step)
        assembly.join(i, i + step * stride);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) assembly.add_hosts(i);
}

}  // namespace rch::fabric
