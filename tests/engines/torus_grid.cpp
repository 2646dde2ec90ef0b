#include "torus_grid.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "fabric/fabric_builder.h"

namespace rch::test {
namespace {

using fabric::FabricBuilder;

template <class T>
T good(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

std::size_t position_index(const At& radix, const At& at) {
  return (std::size_t{at[0]} * radix[1] + at[1]) * radix[2] + at[2];
}

/// The one cable plan: which ends of which switches are joined, before port numbers are given out.
class Cabling {
 public:
  Cabling(const Grid& grid, std::mt19937_64& random) : grid_(grid), spec_(grid.spec()), random_(random) {
    ends_.resize(grid.positions());
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t p = 0; p < grid.positions(); ++p) add_cables(grid.at(p), d);
    for (const auto& [a, b] : spec_.extra) join(a, b, 6, 6);
    for (std::size_t p = 0; p < grid.positions(); ++p) add_hosts(p);
  }

  struct End {
    std::size_t cable;   ///< or host number
    std::uint32_t rank;  ///< order of ports: + and - of each dimension, extra cables, hosts
    bool host;
  };
  /// Ends on the switch, in port order.
  std::vector<End> ends(std::size_t position) {
    auto& list = ends_[position];
    std::stable_sort(list.begin(), list.end(), [](const End& a, const End& b) { return a.rank < b.rank; });
    if (spec_.shuffle != 0) std::shuffle(list.begin(), list.end(), random_);
    return list;
  }
  std::size_t hosts() const { return hosts_; }

 private:
  bool missing(const At& at) const {
    return std::find(spec_.missing.begin(), spec_.missing.end(), at) != spec_.missing.end();
  }
  std::uint32_t vary(std::uint32_t least, std::uint32_t most) {
    return spec_.shuffle == 0 ? most : std::uniform_int_distribution<std::uint32_t>(least, most)(random_);
  }
  void join(const At& a, const At& b, std::uint32_t rank_a, std::uint32_t rank_b) {
    ends_[position_index(spec_.radix, a)].push_back({cables_, rank_a, false});
    ends_[position_index(spec_.radix, b)].push_back({cables_, rank_b, false});
    ++cables_;
  }
  void add_cables(const At& from, std::size_t d) {
    At to = from;
    if (!grid_.step(to, d, 1) || missing(from) || missing(to)) return;
    for (const auto& cut : spec_.cut)
      if (cut == std::pair(from, to) || cut == std::pair(to, from)) return;
    const auto plus = static_cast<std::uint32_t>(2 * d);
    for (std::uint32_t n = vary(1, spec_.cables); n > 0; --n) join(from, to, plus, plus + 1);
  }
  void add_hosts(std::size_t position) {
    if (missing(grid_.at(position))) return;
    for (std::uint32_t n = vary(0, spec_.hosts); n > 0; --n) ends_[position].push_back({hosts_++, 7, true});
  }

  const Grid& grid_;
  const GridSpec& spec_;
  std::mt19937_64& random_;
  std::vector<std::vector<End>> ends_;
  std::size_t cables_ = 0;
  std::size_t hosts_ = 0;
};

fabric::NodeSpec node_spec(const GridSpec& spec, fabric::NodeType type, Guid guid, std::string name,
                           std::size_t ports) {
  fabric::NodeSpec node;
  node.type = type;
  node.guid = guid;
  node.description = std::move(name);
  node.ports.resize(ports + 1);
  for (auto& port : node.ports) port.vl_cap = spec.vl_cap;
  return node;
}

/// LIDs 1.. over all end ports, hosts aligned to their LMC, in the order given.
void give_lids(FabricBuilder& builder, const GridSpec& spec, std::vector<FabricBuilder::Handle> nodes) {
  std::uint32_t next = 1;
  for (const auto handle : nodes) {
    fabric::NodeSpec& node = builder.node(handle);
    const bool host = node.type == fabric::NodeType::ca;
    const std::uint32_t count = host ? 1U << spec.lmc : 1;
    next = (next + count - 1) / count * count;
    fabric::PortSpec& port = node.ports[host ? 1 : 0];
    port.lid = Lid(static_cast<std::uint16_t>(next));
    port.lmc = host ? spec.lmc : std::uint8_t{0};
    next += count;
  }
}

fabric::Fabric build(const Grid& grid, std::mt19937_64& random) {
  const GridSpec& spec = grid.spec();
  Cabling cabling(grid, random);
  FabricBuilder builder;
  std::vector<FabricBuilder::Handle> nodes;
  for (std::size_t h = 0; h < cabling.hosts(); ++h)
    nodes.push_back(builder.add(
        node_spec(spec, fabric::NodeType::ca, Guid(0x900000 + 4 * h), fmt::format("host{}", h), 1)));

  std::map<std::size_t, std::pair<FabricBuilder::Handle, PortNum>> open;
  for (std::size_t p = 0; p < grid.positions(); ++p) {
    const At at = grid.at(p);
    if (std::find(spec.missing.begin(), spec.missing.end(), at) != spec.missing.end()) continue;
    const auto ends = cabling.ends(p);
    const auto sw = builder.add(node_spec(spec, fabric::NodeType::sw, grid.guid(at),
                                          fmt::format("sw_{}_{}_{}", at[0], at[1], at[2]), ends.size()));
    nodes.push_back(sw);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const PortNum port(static_cast<std::uint8_t>(i + 1));
      if (ends[i].host) {
        good(builder.connect(sw, port, nodes[ends[i].cable], PortNum(1)).map([] { return 0; }));
      } else if (const auto other = open.find(ends[i].cable); other != open.end()) {
        good(builder.connect(sw, port, other->second.first, other->second.second).map([] { return 0; }));
      } else {
        open[ends[i].cable] = {sw, port};
      }
    }
  }
  if (spec.shuffle != 0) std::shuffle(nodes.begin(), nodes.end(), random);
  give_lids(builder, spec, nodes);
  return good(std::move(builder).build());
}

std::vector<Guid> make_guids(std::size_t count, bool shuffle, std::mt19937_64& random) {
  std::vector<Guid> guids;
  for (std::size_t p = 0; p < count; ++p) guids.push_back(Guid(0x100000 + 8 * p));
  if (shuffle) std::shuffle(guids.begin(), guids.end(), random);
  return guids;
}

}  // namespace

Grid::Grid(GridSpec spec)
    : spec_(std::move(spec)),
      guid_([this] {
        std::mt19937_64 random(spec_.shuffle);
        return make_guids(positions(), spec_.shuffle != 0, random);
      }()),
      fabric_([this] {
        std::mt19937_64 random(spec_.shuffle + 1);
        return build(*this, random);
      }()) {
  switch_at_.assign(positions(), SwitchId::none());
  at_switch_.resize(fabric_.switch_count());
  for (std::size_t p = 0; p < positions(); ++p) {
    const auto node = fabric_.find_node(guid_[p]);
    if (!node) continue;
    switch_at_[p] = SwitchId(node->value);
    at_switch_[node->index()] = at(p);
  }
}

At Grid::at(std::size_t position) const {
  const auto p = static_cast<std::uint32_t>(position);
  return {p / spec_.radix[2] / spec_.radix[1], p / spec_.radix[2] % spec_.radix[1], p % spec_.radix[2]};
}

bool Grid::step(At& at, std::size_t d, int step) const {
  const std::uint32_t n = spec_.radix[d];
  const bool leaves = step > 0 ? at[d] + 1 == n : at[d] == 0;
  if (leaves && !looped(d)) return false;
  at[d] = (at[d] + (step > 0 ? 1 : n - 1)) % n;
  return true;
}

engines::torus_2qos::Seed Grid::seed(const At& at) const {
  engines::torus_2qos::Seed seed;
  for (std::size_t d = 0; d < 3; ++d) {
    seed.dateline[d] = -static_cast<std::int32_t>(at[d]);
    At to = at;
    if (step(to, d, 1)) seed.plus[d] = {guid(at), guid(to)};
    to = at;
    if (step(to, d, -1)) seed.minus[d] = {guid(at), guid(to)};
  }
  return seed;
}

engines::torus_2qos::Options Grid::options(const std::vector<At>& seeds) const {
  engines::torus_2qos::Options options;
  options.radix = spec_.radix;
  options.wraps = spec_.wraps;
  for (const At& at : seeds) options.seeds.push_back(seed(at));
  return options;
}

engines::torus_2qos::Options Grid::options() const {
  std::vector<At> all;
  for (std::size_t p = 0; p < positions(); ++p) all.push_back(at(p));
  return options(all);
}

GridSpec grid_spec(std::string_view radices) {
  GridSpec spec;
  spec.radix = {0, 0, 0};
  std::size_t d = 0;
  for (char c : radices) {
    if (c == ' ') {
      ++d;
    } else if (c == 'm') {
      spec.wraps[d] = false;
    } else {
      spec.radix[d] = spec.radix[d] * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return spec;
}

At at_of(std::string_view digits) {
  At at{};
  for (std::size_t d = 0; d < 3; ++d)
    at[d] = static_cast<std::uint32_t>(digits[d] <= '9' ? digits[d] - '0' : digits[d] - 'a' + 10);
  return at;
}

std::string digits_of(const At& at) { return fmt::format("{:x}{:x}{:x}", at[0], at[1], at[2]); }

engines::EngineResult route_grid(const Grid& grid, const engines::torus_2qos::Options& options) {
  return engines::torus_2qos::route(fabric::SubFabric(grid.fabric()), options);
}

}  // namespace rch::test
