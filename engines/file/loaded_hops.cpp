#include "engines/file/loaded_hops.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "engines/common/failure.h"
#include "engines/common/names.h"

namespace rch::engines::file {
namespace {

/// The switch of the view whose hops a row tells. A row that names no GUID belongs to its LID. Rows for hosts
/// are not used: those of their switches count.
std::optional<SwitchId> target(const common::PortContext& context, const fabric::HopDump::Row& row) {
  const fabric::Fabric& fabric = context.view().fabric();
  std::optional<SwitchId> sw;
  if (row.owner != Guid{} && !context.rules().hops_by_lid) {
    sw = common::switch_named(fabric, row.owner);
  } else if (const auto owner = fabric.lid_owner(row.lid); owner && fabric.port(*owner).lid == row.lid) {
    sw = fabric.switch_id(fabric.port(*owner).node);
  }
  return sw ? context.view().view_switch(*sw) : std::nullopt;
}

}  // namespace

LoadedHops::LoadedHops(const common::PortContext& context, const fabric::HopDump& dump) {
  const fabric::SubFabric& view = context.view();
  const std::size_t count = view.switch_count();
  std::size_t rows = 0;
  for (std::uint32_t s = 0; s < count; ++s) {
    first_row_.push_back(rows);
    rows += view.node(SwitchId(s)).num_ports + std::size_t{1};
  }
  hops_ = {count, std::vector<std::uint8_t>(count * count, HopMatrix::kUnknown)};
  by_port_.assign(rows * count, HopMatrix::kUnknown);

  std::vector<std::string> unknown;
  for (const fabric::HopDump::Table& table : dump.tables) {
    const auto sw = common::switch_named(view.fabric(), table.sw);
    if (!sw)
      unknown.push_back(fmt::format("{}", table.sw));
    else if (const auto own = view.view_switch(*sw))
      load(context, *own, table);
  }
  if (!unknown.empty())
    remarks_.push_back(fmt::format("{} of `lid_matrix_dump_file` not in this fabric: {}",
                                   counted(unknown.size(), "switch row set"),
                                   common::list_some(unknown, ", ")));
}

void LoadedHops::load(const common::PortContext& context, SwitchId sw, const fabric::HopDump::Table& table) {
  const std::size_t ports = context.view().node(sw).num_ports + std::size_t{1};
  for (const fabric::HopDump::Row& line : table.rows) {
    const auto to = target(context, line);
    if (!to) continue;
    for (std::size_t p = 0; p < std::min(ports, line.hops.size()); ++p)
      by_port_[row(sw, p, *to)] = line.hops[p];
    // Column 0 is the least, or what the file claims if that is less.
    std::uint8_t& least = hops_.hops[sw.index() * hops_.switch_count + to->index()];
    least = HopMatrix::kUnknown;
    for (std::size_t p = 0; p < ports; ++p) least = std::min(least, by_port_[row(sw, p, *to)]);
  }
}

void LoadedHops::add_to(common::Candidates& candidates, SwitchId sw) const {
  for (std::size_t c = 0; c < candidates.outputs().size(); ++c)
    for (std::uint32_t d = 0; d < hops_.switch_count; ++d) {
      const std::uint8_t hops = by_port_[row(sw, candidates.outputs()[c].port.index(), SwitchId(d))];
      if (hops != HopMatrix::kUnknown && hops == hops_.at(sw, SwitchId(d))) candidates.sets().add(d, c);
    }
}

}  // namespace rch::engines::file
