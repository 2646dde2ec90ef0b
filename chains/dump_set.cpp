#include "chains/dump_set.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/parallel.h"

namespace rch::chains {

using engines::HopMatrix;
using fabric::Fabric;
using fabric::SubFabric;

DumpSet::DumpSet(const SubFabric& view, const fabric::ForwardingTables* lfts, const HopMatrix* hops)
    : view_(view), hops_(hops) {
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    Row row{view.fabric_switch(SwitchId(s)), {}, {}};
    if (lfts != nullptr) row.lft = lfts->row(SwitchId(s));
    if (hops != nullptr) row.hops = std::span(hops->hops).subspan(s * hops->switch_count, hops->switch_count);
    rows_.push_back(row);
  }
  std::sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
    return fabric::opensm_order(fabric().node(a.sw).guid) < fabric::opensm_order(fabric().node(b.sw).guid);
  });
}

DumpSet::DumpSet(const SubFabric& view, const engines::StepTables* tables)
    : DumpSet(view, tables ? &tables->lfts : nullptr, tables && tables->hops ? &*tables->hops : nullptr) {}

DumpSet::DumpSet(const SubFabric& whole, const fabric::ForwardingTables& lfts, const HopMatrix* hops)
    : DumpSet(whole, &lfts, hops) {}

bool DumpSet::has_link(PortId port) const {
  const PortId peer = fabric().port(port).peer;
  return !peer.is_none() && view_.has_port(port) && view_.has_port(peer);
}

std::uint8_t DumpSet::hops(const Row& row, SwitchId to) const {
  const auto column = view_.view_switch(to);
  return row.hops.empty() || !column ? HopMatrix::kUnknown : row.hops[column->index()];
}

std::uint8_t DumpSet::hops(const Row& row, SwitchId to, PortNum port) const {
  if (port == PortNum(0)) return hops(row, to);
  if (row.hops.empty() || port.value > fabric().node(row.sw).num_ports) return HopMatrix::kUnknown;
  const PortId id = fabric().port_id(row.sw, port);
  if (!has_link(id)) return HopMatrix::kUnknown;
  const auto next = fabric().switch_id(fabric().port(fabric().port(id).peer).node);
  const auto from = next && *next != row.sw ? view_.view_switch(*next) : std::nullopt;
  const auto column = view_.view_switch(to);
  if (!from || !column) return HopMatrix::kUnknown;
  const unsigned weight = hops_->weights.empty() ? 1 : hops_->weights[id.index()];
  return static_cast<std::uint8_t>(
      std::min<unsigned>(HopMatrix::kUnknown, hops_->at(*from, *column) + weight));
}

std::vector<LidOwner> lid_owners(const Fabric& fabric) {
  std::vector<LidOwner> owners(fabric.max_lid().index() + 1);
  for (std::size_t l = 0; l < owners.size(); ++l) {
    const auto port = fabric.lid_owner(Lid(static_cast<std::uint16_t>(l)));
    if (!port) continue;
    owners[l].port = *port;
    const NodeId node = fabric.port(*port).node;
    if (const auto sw = fabric.switch_id(node)) {
      owners[l].sw = *sw;
    } else if (const PortId peer = fabric.port(*port).peer; !peer.is_none()) {
      owners[l].sw = fabric.switch_id(fabric.port(peer).node).value_or(SwitchId::none());
      owners[l].attach = fabric.port(peer).number;
    }
  }
  return owners;
}

std::string printable(std::string_view description) {
  std::string text(description);
  for (char& c : text)
    if (c < ' ' || c > '~') c = ' ';
  return text;
}

std::string_view type_word(fabric::NodeType type) {
  switch (type) {
    case fabric::NodeType::ca:
      return "Channel Adapter";
    case fabric::NodeType::sw:
      return "Switch";
    case fabric::NodeType::router:
      return "Router";
  }
  return "UNKNOWN";
}

Result<void> write_pieces(const std::filesystem::path& path, std::size_t count,
                          const std::function<void(std::size_t, std::string&)>& piece) {
  // Rows of a large fabric are megabytes of text each: some are in memory at a time, not the file.
  constexpr std::size_t kAtOnce = 16;
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "w"),
                                                   [](FILE* f) { return std::fclose(f); });
  if (!file)
    return fail(ErrorKind::usage, fmt::format("cannot write `{}`: {}", path.string(), std::strerror(errno)));
  std::vector<std::string> text(std::min(kAtOnce, count));
  for (std::size_t begin = 0; begin < count; begin += kAtOnce) {
    const std::size_t n = std::min(kAtOnce, count - begin);
    parallel_ranges(n, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        text[i].clear();
        piece(begin + i, text[i]);
      }
    });
    for (std::size_t i = 0; i < n; ++i) std::fwrite(text[i].data(), 1, text[i].size(), file.get());
  }
  if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0)
    return fail(ErrorKind::usage, fmt::format("cannot write `{}`: {}", path.string(), std::strerror(errno)));
  return {};
}

}  // namespace rch::chains
