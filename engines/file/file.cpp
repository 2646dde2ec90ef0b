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
  if (options.hops == nullptr && options.lfts == nullptr)
    return tl::unexpected(EngineFailure{.rule = "files-absent",
                                        .message = "neither `lfts_file` nor `lid_matrix_dump_file` is set",
                                        .guids = {}});
  const common::PortContext context(view, options.ports);
  StepTables tables;
  if (options.lfts == nullptr) tables.remarks = context.remarks();  // loaded tables read no port option
  std::optional<LoadedHops> loaded;
  if (options.hops != nullptr) {
    loaded.emplace(context, *options.hops);
    append(tables.remarks, loaded->remarks());
  }
  tables.hops = loaded ? loaded->hops() : common::distances(context.links());
  if (options.lfts != nullptr) {
    auto lfts = load_tables(view, *options.lfts, context.rules().loads_what_fits);
    if (!lfts) return tl::unexpected(std::move(lfts.error()));
    tables.lfts = std::move(lfts->lfts);
    append(tables.remarks, std::move(lfts->remarks));
  } else {
    tables.lfts = common::select_ports({context, *loaded});
  }
  return tables;
}

}  // namespace rch::engines::file
