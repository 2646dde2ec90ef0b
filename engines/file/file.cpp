#include "engines/file/file.h"

#include <iterator>
#include <optional>

#include "engines/common/distances.h"
#include "engines/common/port_selection/select_ports.h"
#include "engines/file/loaded_hops.h"
#include "engines/file/loaded_tables.h"

namespace rch::engines::file {
namespace {

void append(std::vector<std::string>& remarks, std::vector<std::string> more) {
  remarks.insert(remarks.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

EngineResult route(const fabric::SubFabric& view, const Options& options) {
  const common::PortContext plan(view, options.ports);
  StepTables tables;
  tables.remarks = plan.remarks();
  std::optional<LoadedHops> loaded;
  if (options.hops != nullptr) {
    loaded.emplace(plan, *options.hops);
    append(tables.remarks, loaded->remarks());
  }
  tables.hops = loaded ? loaded->hops() : common::distances(plan.links());
  if (options.lfts != nullptr) {
    auto lfts = load_tables(view, *options.lfts, options.ports.compat);
    if (!lfts) return tl::unexpected(std::move(lfts.error()));
    tables.lfts = std::move(lfts->lfts);
    append(tables.remarks, std::move(lfts->remarks));
  } else if (loaded) {
    tables.lfts = common::select_ports({plan, *loaded});
  } else {
    const common::ShortestPaths rule(plan.graph(), *tables.hops);
    tables.lfts = common::select_ports({plan, rule});
  }
  return tables;
}

}  // namespace rch::engines::file
