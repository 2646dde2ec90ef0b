#include "chains/dumps.h"

#include <algorithm>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

using std::filesystem::path;

/// A per-engine file: `{stem}{.id.engine}{suffix}`, or the plain name (docs/chains.md).
struct DumpFile {
  std::string_view stem, suffix;
  Result<void> (*write)(const path&, const DumpSet&);
};
constexpr DumpFile kFiles[] = {
    {"opensm-lid-matrix", ".dump", dump_lid_matrix},
    {"opensm-lfts", ".dump", dump_lfts},
    {"opensm.fdbs", "", dump_fdbs},
    {"opensm-subnet", ".lst", dump_subnet},
};

Result<void> dump_set(const path& folder, std::string_view infix, const DumpSet& set) {
  for (const DumpFile& file : kFiles)
    if (auto done = file.write(folder / fmt::format("{}{}{}", file.stem, infix, file.suffix), set); !done)
      return done;
  return {};
}

/// Engines without an order of hosts have no such file.
Result<void> dump_order(const path& folder, std::string_view infix, const fabric::Fabric& fabric,
                        std::span<const PortId> order) {
  if (order.empty()) return {};
  return dump_ca_order(folder / fmt::format("opensm-ftree-ca-order{}.dump", infix), fabric, order);
}

Result<void> make_folder(const path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return fail(ErrorKind::usage,
                fmt::format("cannot make folder `{}`: {}", folder.string(), error.message()));
  return {};
}

}  // namespace

Result<void> dump_step(const path& folder, const StepOutcome& outcome) {
  const std::string infix = fmt::format(".{}.{}", outcome.step.id, outcome.step.engine);
  auto done = make_folder(folder).and_then(
      [&] { return dump_set(folder, infix, DumpSet(outcome.view, outcome.tables)); });
  if (done && outcome.tables != nullptr)
    done = dump_order(folder, infix, outcome.view.fabric(), outcome.tables->host_order);
  return done;
}

Result<void> dump_final(const path& folder, const fabric::Fabric& fabric, const ChainRun& run) {
  const fabric::SubFabric whole(fabric);
  const DumpSet set(whole, run.tables.lfts, run.hops ? &*run.hops : nullptr);
  auto done = make_folder(folder).and_then([&] { return dump_set(folder, "", set); });
  if (done) done = dump_order(folder, "", fabric, run.host_order);
  if (done && !run.tables.sl2vl.empty())
    done = dump_sl2vl(folder / "opensm-sl2vl.dump", fabric, run.tables.sl2vl);
  if (done && !run.tables.adaptive.empty()) done = dump_far(folder / "opensm.far", set, run.tables.adaptive);
  // An empty file is written, too, because ibdmchk does not start without it (ibdmchk(1)).
  if (done) done = dump_mcfdbs(folder / "opensm.mcfdbs", set, run.tables.groups);
  return done;
}

Result<void> dump_links(const path& file, const fabric::Fabric& fabric,
                        const fabric::ForwardingTables& lfts) {
  const fabric::SubFabric whole(fabric);
  return dump_subnet(file, DumpSet(whole, lfts, nullptr));
}

Result<void> dump_tables(const path& file, const fabric::Fabric& fabric,
                         const fabric::ForwardingTables& lfts) {
  const fabric::SubFabric whole(fabric);
  return dump_lfts(file, DumpSet(whole, lfts, nullptr));
}

}  // namespace rch::chains
