#include "parsers/ibdm/topo_fabric.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/fabric_builder.h"
#include "parsers/ibdm/cluster.h"

namespace rch::parsers::ibdm {
namespace {

using fabric::FabricBuilder;

/// The FNV-1a hash of 64 bits, its ends folded into the lower 48.
std::uint64_t hash48(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return (hash ^ hash >> 48) & 0xFFFFFFFFFFFF;
}

/// See read_topo().
Guid guid_of(std::uint64_t hash) { return Guid(std::uint64_t{0x02} << 56 | hash << 8); }

/// `HOST HCA-2` for the adapter `HOST/U2`, as its driver calls it; else the node's name.
std::string describe(const std::string& system, const Assembly::Node& node) {
  const std::string_view number = std::string_view(node.path).substr(1);
  const bool adapter = node.kind == ibnl::InstanceKind::ca && node.path.front() == 'U' && !number.empty() &&
                       number.find_first_not_of("0123456789") == std::string_view::npos;
  return adapter ? fmt::format("{} HCA-{}", system, number) : fmt::format("{}/{}", system, node.path);
}

/// Adds the nodes and links of a cluster to a FabricBuilder.
class Nodes {
 public:
  explicit Nodes(const Cluster& cluster) : cluster_(cluster) {
    for (const Cluster::System& system : cluster.systems) {
      first_.push_back(static_cast<std::uint32_t>(names_.size()));
      for (const Assembly::Node& node : system.assembly->nodes)
        names_.push_back(system.name + '/' + node.path);
    }
  }

  Result<fabric::Fabric> build() && {
    const std::vector<Guid> guids = make_guids();
    for (std::uint32_t s = 0; s < cluster_.systems.size(); ++s)
      for (std::uint32_t n = 0; n < assembly(s).nodes.size(); ++n) add(s, n, guids[first_[s] + n]);
    for (std::uint32_t s = 0; s < cluster_.systems.size(); ++s)
      for (const Assembly::Link& link : assembly(s).links)
        if (const auto done = connect(s, link.a, s, link.b, link.rate); !done)
          return tl::unexpected(done.error());
    for (const Cluster::Cable& cable : cluster_.cables) {
      const Assembly::Port a = assembly(cable.a.system).panel[cable.a.port].port;
      const Assembly::Port b = assembly(cable.b.system).panel[cable.b.port].port;
      if (const auto done = connect(cable.a.system, a, cable.b.system, b, cable.rate); !done)
        return tl::unexpected(done.error());
    }
    return std::move(builder_).build();
  }

 private:
  const Assembly& assembly(std::uint32_t system) const { return *cluster_.systems[system].assembly; }

  /// Two names of one hash (one in 10^14 pairs) are kept apart by their order.
  std::vector<Guid> make_guids() const {
    std::vector<std::uint32_t> order(names_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return names_[a] < names_[b]; });
    std::vector<Guid> guids(names_.size());
    std::unordered_map<Guid, std::uint32_t> taken;
    for (const std::uint32_t i : order) {
      std::uint64_t hash = hash48(names_[i]);
      while (!taken.emplace(guid_of(hash), i).second) hash = (hash + 1) & 0xFFFFFFFFFFFF;
      guids[i] = guid_of(hash);
    }
    return guids;
  }

  void add(std::uint32_t system, std::uint32_t index, Guid guid) {
    const Assembly::Node& node = assembly(system).nodes[index];
    const std::string& name = cluster_.systems[system].name;
    fabric::NodeSpec spec;
    spec.guid = guid;
    spec.system_guid = guid_of(hash48(name));
    spec.type = node.kind == ibnl::InstanceKind::sw ? fabric::NodeType::sw : fabric::NodeType::ca;
    spec.device_id = node.device_id;
    spec.description = describe(name, node);
    spec.ports.resize(node.ports + std::size_t{1});
    builder_.add(std::move(spec));
  }

  Result<void> connect(std::uint32_t a_system, Assembly::Port a, std::uint32_t b_system, Assembly::Port b,
                       const fabric::LinkRate& rate) {
    const FabricBuilder::Handle handles[2] = {FabricBuilder::Handle(first_[a_system] + a.node),
                                              FabricBuilder::Handle(first_[b_system] + b.node)};
    const std::uint8_t numbers[2] = {a.number, b.number};
    for (const int end : {0, 1}) {
      fabric::PortSpec& port = builder_.node(handles[end]).ports[numbers[end]];
      port.width = rate.width;
      port.speed = rate.speed;
    }
    return builder_.connect(handles[0], PortNum(a.number), handles[1], PortNum(b.number));
  }

  const Cluster& cluster_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> first_;  ///< by system: index of its first node
  FabricBuilder builder_;
};

/// What one line of a file of unknown kind looks like.
enum class Look { nothing, ibnl, cable, system, other };

Look look_at(std::string_view line) {
  std::array<std::string_view, 3> words{};
  std::size_t count = 0;
  for (std::string_view rest = trim(line); !rest.empty() && count < words.size(); rest = trim(rest)) {
    words[count] = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(words[count++].size());
  }
  if (count == 0 || words[0].starts_with('#')) return Look::nothing;
  for (std::string_view keyword : {"SYSTEM", "TOPSYSTEM", "NODE", "SUBSYSTEM"})
    if (words[0] == keyword) return Look::ibnl;
  for (std::string_view word : {words[0], words[1]})
    if (word.find("->") != std::string_view::npos) return Look::cable;
  const bool names = count >= 2 && words[0].find('/') == std::string_view::npos &&
                     words[1].find('/') == std::string_view::npos;
  return names && (count == 2 || words[2].starts_with("CFG:")) ? Look::system : Look::other;
}

/// Lines looked at before the kind of a file is settled.
constexpr std::size_t kLinesTried = 200;

}  // namespace

bool is_topo(std::string_view text) {
  bool systems = false, others = false;
  for (std::size_t lines = 0; !text.empty() && lines < kLinesTried; ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Look look = look_at(text.substr(0, end));
    if (look == Look::ibnl) return false;
    if (look == Look::cable) return true;
    systems = systems || look == Look::system;
    others = others || look == Look::other;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return systems && !others;
}

std::optional<fabric::Fabric> read_topo(const SourceSet& sources, SourceId topo, const Library& library,
                                        Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.count(Severity::error);
  const Cluster cluster = build_cluster(topo::parse(sources, topo, diagnostics), library, diagnostics);
  const bool good = diagnostics.count(Severity::error) == before;
  const bool usable = good && std::all_of(cluster.systems.begin(), cluster.systems.end(),
                                          [](const Cluster::System& s) { return s.assembly != nullptr; });
  if (!usable) return std::nullopt;
  // A cluster without findings has no two links at one port: the builder has nothing to refuse.
  return std::move(Nodes(cluster).build().value());
}

}  // namespace rch::parsers::ibdm
