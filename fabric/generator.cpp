#include "fabric/generator.h"

#include "fabric/fabric_builder.h"
#include "fabric/grid_index.h"
#include "fabric/random_graph.h"
#include "fabric/shuffle.h"

namespace rch::fabric {
namespace {

constexpr std::uint32_t kMaxPorts = 254;
constexpr std::uint32_t kVendor = 0x2c9;
constexpr std::uint32_t kSwitchDevice = 0xbd36;
constexpr std::uint32_t kHostDevice = 0x1003;

/// Collects switches, cables and hosts of one shape. Everything is in order of call, so that GUIDs are too.
class Assembly {
 public:
  explicit Assembly(const GeneratorOptions& options) : options_(options) {}

  void add_switch(std::string_view name, std::uint64_t ports) {
    if (ports > kMaxPorts) {
      excess_ = std::max(excess_, ports);
      ports = kMaxPorts;
    }
    portless_ = portless_ || ports == 0;
    NodeSpec spec;
    spec.type = NodeType::sw;
    spec.guid = Guid(options_.switch_guid.value + 8 * switches_.size());
    spec.system_guid = spec.guid;
    spec.device_id = kSwitchDevice;
    spec.ports.resize(ports + 1);
    spec.ports[0].state = PortState::active;
    switches_.push_back(add(std::move(spec), name));
  }

  /// Cables between ports `a_port`.. and `b_port`.. of two switches (numbers in order of add_switch), as many
  /// as are parallel.
  void join(std::size_t a, std::uint32_t a_port, std::size_t b, std::uint32_t b_port) {
    for (std::uint32_t i = 0; i < options_.parallel; ++i)
      cable(switches_[a], a_port + i, switches_[b], b_port + i);
  }

  void add_hosts(std::size_t sw, std::uint32_t first_port, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      NodeSpec spec;
      spec.type = NodeType::ca;
      spec.guid = Guid(options_.host_guid.value + 4 * hosts_);
      spec.system_guid = Guid(spec.guid.value + 3);
      spec.device_id = kHostDevice;
      spec.ports.resize(2);
      const auto host = add(std::move(spec), fmt::format("host{:03d} HCA-1", hosts_++));
      if (first_host_.is_none()) first_host_ = host;
      cable(host, 1, switches_[sw], first_port + i);
    }
  }

  Result<Fabric> build() && {
    if (excess_ > kMaxPorts)
      return fail(ErrorKind::usage,
                  fmt::format("a switch would need {} ports; it can have {}", excess_, kMaxPorts));
    if (portless_) return fail(ErrorKind::usage, "a single switch without hosts has no ports");
    if (!trouble_.empty()) return fail(ErrorKind::usage, trouble_);
    if (first_host_.is_none())
      builder_.set_origin(switches_.front(), PortNum(0));
    else
      builder_.set_origin(first_host_, PortNum(1));
    return std::move(builder_).build();
  }

 private:
  using Handle = FabricBuilder::Handle;

  Handle add(NodeSpec spec, std::string_view name) {
    spec.vendor_id = kVendor;
    spec.description = options_.name_prefix + std::string(name);
    return builder_.add(std::move(spec));
  }

  void cable(Handle a, std::uint32_t a_port, Handle b, std::uint32_t b_port) {
    if (excess_ > kMaxPorts) return;
    const PortNum ap(static_cast<std::uint8_t>(a_port)), bp(static_cast<std::uint8_t>(b_port));
    if (auto done = builder_.connect(a, ap, b, bp); !done) trouble_ = done.error().message;
    for (PortSpec* port : {&builder_.node(a).ports[a_port], &builder_.node(b).ports[b_port]}) {
      port->width = options_.width;
      port->speed = options_.speed;
    }
  }

  const GeneratorOptions& options_;
  FabricBuilder builder_;
  std::vector<Handle> switches_;
  std::uint64_t hosts_ = 0;
  Handle first_host_ = Handle::none();
  std::uint64_t excess_ = 0;  ///< most ports that a switch would have beyond the limit
  bool portless_ = false;
  std::string trouble_;
};

/// Lays out one shape. Each overload adds all switches first, then cables and hosts.
class Layout {
 public:
  Layout(const GeneratorOptions& options, Assembly& assembly)
      : hosts_(options.hosts), parallel_(options.parallel), assembly_(assembly) {}

  void operator()(const Grid& grid) {
    const GridIndex index(grid);
    const auto count = static_cast<std::uint32_t>(index.size());
    std::array<std::uint32_t, 3> first_port{};  // of the positive cables
    std::uint32_t next = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      first_port[d] = next;
      if (index.dimension(d).radix > 1) next += 2 * parallel_;
    }
    for (std::uint32_t i = 0; i < count; ++i)
      assembly_.add_switch(grid_name(index.position(i)), next - 1 + std::uint64_t{hosts_});
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::size_t d = 0; d < 3; ++d)
        if (const auto up = index.neighbor(index.position(i), d, true))
          assembly_.join(i, first_port[d], index.index(*up), first_port[d] + parallel_);
    for (std::uint32_t i = 0; i < count; ++i) assembly_.add_hosts(i, next, hosts_);
  }

  void operator()(const Hypercube& cube) {
    const std::uint32_t count = 1U << cube.dimensions;
    const std::uint32_t cables = cube.dimensions * parallel_;
    for (std::uint32_t i = 0; i < count; ++i)
      assembly_.add_switch(fmt::format("hc_{:0{}b}", i, cube.dimensions), cables + std::uint64_t{hosts_});
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t d = 0; d < cube.dimensions; ++d)
        if ((i >> d & 1U) == 0) assembly_.join(i, d * parallel_ + 1, i | 1U << d, d * parallel_ + 1);
    for (std::uint32_t i = 0; i < count; ++i) assembly_.add_hosts(i, cables + 1, hosts_);
  }

  void operator()(const Clos& clos) {
    for (std::uint32_t i = 0; i < clos.leaves; ++i)
      assembly_.add_switch(fmt::format("leaf{:02d}", i), hosts_ + std::uint64_t{clos.spines} * parallel_);
    for (std::uint32_t j = 0; j < clos.spines; ++j)
      assembly_.add_switch(fmt::format("spine{:02d}", j), std::uint64_t{clos.leaves} * parallel_);
    for (std::uint32_t i = 0; i < clos.leaves; ++i) {
      assembly_.add_hosts(i, 1, hosts_);
      for (std::uint32_t j = 0; j < clos.spines; ++j)
        assembly_.join(i, hosts_ + j * parallel_ + 1, clos.leaves + j, i * parallel_ + 1);
    }
  }

  void operator()(const FatTree& tree) {
    const std::uint32_t k = tree.k, half = k / 2;
    const std::uint64_t ports = half + std::uint64_t{half} * parallel_;
    const std::uint32_t edges = 0, aggs = k * half, cores = 2 * k * half;
    for (std::uint32_t p = 0; p < k; ++p)
      for (std::uint32_t i = 0; i < half; ++i) assembly_.add_switch(fmt::format("edge{}_{}", p, i), ports);
    for (std::uint32_t p = 0; p < k; ++p)
      for (std::uint32_t i = 0; i < half; ++i)
        assembly_.add_switch(fmt::format("agg{}_{}", p, i), std::uint64_t{k} * parallel_);
    for (std::uint32_t i = 0; i < half * half; ++i)
      assembly_.add_switch(fmt::format("core{:02d}", i), std::uint64_t{k} * parallel_);
    for (std::uint32_t p = 0; p < k; ++p)
      for (std::uint32_t i = 0; i < half; ++i) {
        const std::uint32_t edge = edges + p * half + i, agg = aggs + p * half + i;
        assembly_.add_hosts(edge, 1, half);
        for (std::uint32_t j = 0; j < half; ++j) {
          assembly_.join(edge, half + j * parallel_ + 1, aggs + p * half + j, i * parallel_ + 1);
          assembly_.join(agg, (half + j) * parallel_ + 1, cores + i * half + j, p * parallel_ + 1);
        }
      }
  }

  void operator()(const RandomRegular& graph) {
    const std::uint32_t cables = graph.degree * parallel_;
    for (std::uint32_t i = 0; i < graph.switches; ++i)
      assembly_.add_switch(fmt::format("rnd{:02d}", i), cables + std::uint64_t{hosts_});
    std::vector<std::uint32_t> next(graph.switches, 1);
    for (const auto& [a, b] : random_regular_graph(graph.switches, graph.degree, graph.seed)) {
      assembly_.join(a, next[a], b, next[b]);
      next[a] += parallel_;
      next[b] += parallel_;
    }
    for (std::uint32_t i = 0; i < graph.switches; ++i) assembly_.add_hosts(i, cables + 1, hosts_);
  }

 private:
  std::uint32_t hosts_;
  std::uint32_t parallel_;
  Assembly& assembly_;
};

/// Why the shape makes no fabric; empty if it does.
struct Objection {
  static constexpr std::uint64_t kMaxSwitches = 49151;  // each needs a LID

  std::string operator()(const Grid& grid) const {
    if (grid.dimensions.empty() || grid.dimensions.size() > 3)
      return fmt::format("a grid has 1-3 dimensions, not {}", grid.dimensions.size());
    for (const Grid::Dimension& d : grid.dimensions)
      if (d.radix == 0 || d.radix > kMaxSwitches) return fmt::format("{} is no radix", d.radix);
    return switches(GridIndex(grid).size());
  }
  std::string operator()(const Hypercube& cube) const {
    if (cube.dimensions < 1 || cube.dimensions > 15)
      return fmt::format("a hypercube has 1-15 dimensions, not {}", cube.dimensions);
    return {};
  }
  std::string operator()(const Clos& clos) const {
    if (clos.leaves == 0 || clos.spines == 0) return "a Clos needs leaves and spines";
    return switches(std::uint64_t{clos.leaves} + clos.spines);
  }
  std::string operator()(const FatTree& tree) const {
    if (tree.k < 2 || tree.k % 2 != 0) return fmt::format("a fat tree needs an even k, not {}", tree.k);
    return switches(std::uint64_t{tree.k} * tree.k * 5 / 4);
  }
  std::string operator()(const RandomRegular& graph) const {
    if (graph.switches < 2 || graph.degree == 0 || graph.degree >= graph.switches)
      return fmt::format("{} switches cannot have {} neighbours each", graph.switches, graph.degree);
    if (std::uint64_t{graph.switches} * graph.degree % 2 != 0)
      return fmt::format("{} switches of degree {} leave one cable end over", graph.switches, graph.degree);
    if (graph.degree == 1 && graph.switches > 2) return "switches of degree 1 make no connected fabric";
    return switches(graph.switches);
  }
  static std::string switches(std::uint64_t count) {
    return count <= kMaxSwitches ? std::string()
                                 : fmt::format("{} switches are more than there are LIDs", count);
  }
};

}  // namespace

Result<Generated> generate(const GeneratorOptions& options) {
  if (const std::string objection = std::visit(Objection{}, options.shape); !objection.empty())
    return fail(ErrorKind::usage, objection);
  if (options.parallel == 0 || options.parallel > kMaxPorts || options.hosts > kMaxPorts)
    return fail(ErrorKind::usage, fmt::format("{} parallel cables and {} hosts a switch are out of range",
                                              options.parallel, options.hosts));
  Assembly assembly(options);
  Layout layout(options, assembly);
  std::visit(layout, options.shape);
  auto fabric = std::move(assembly).build();
  if (fabric && options.shuffle) fabric = shuffled(*fabric, *options.shuffle);
  if (!fabric) return tl::unexpected(fabric.error());
  Generated generated{std::move(*fabric), {}};
  if (std::holds_alternative<Grid>(options.shape)) {
    auto conf = torus_conf(options, generated.fabric);
    if (!conf) return tl::unexpected(conf.error());
    generated.torus_conf = std::move(*conf);
  }
  return generated;
}

}  // namespace rch::fabric
