#include "cli/diff_side.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "chains/plan_file.h"
#include "cli/fabric_folder.h"
#include "cli/observed_tables.h"
#include "cli/target.h"

namespace rch::cli {
namespace {

using compare::Knowledge;
using compare::Part;
using compare::Side;

/// The P_Keys of end ports, as a plan lists them.
fabric::PKeyTables pkeys_of(const fabric::Fabric& fabric, const isolation::InstalledPKeys& installed) {
  fabric::PKeyTables tables;
  tables.begin.push_back(0);
  for (std::uint32_t p = 0; p < installed.ports(); ++p) {
    const PortId port(p);
    if (!installed.knows(port) || !isolation::is_end_port(fabric, fabric.port(port))) continue;
    tables.ports.push_back(port);
    tables.keys.insert(tables.keys.end(), installed.of(port).begin(), installed.of(port).end());
    tables.begin.push_back(static_cast<std::uint32_t>(tables.keys.size()));
  }
  return tables;
}

/// Reads the two sides, that with a fabric of its own first.
class SideReader {
 public:
  SideReader(Context& context, const SideOptions& options) : context_(context), options_(options) {}

  /// True if nothing but the other side tells the fabric.
  bool needs_other(const std::string& target) const {
    const auto port = live_port(target);
    if (!options_.fabric.empty() || !port || *port || chains::is_plan(target)) return false;
    std::error_code error;
    return !std::filesystem::is_directory(target, error) || !fabric_files(target);
  }

  /// `other`: the side that was read; null: none was. `member`: in JSON, of what the files are.
  Stage<Side> read(const std::string& target, const Side* other, const std::string& member) {
    const auto port = live_port(target);
    if (!port) return tl::unexpected(context_.stop(port.error()));
    if (*port) {
      auto observed = read_switches(context_, **port, options_.ask_path_sls);
      if (!observed) return tl::unexpected(observed.error());
      return side_of(target, std::move(*observed), true);
    }
    if (chains::is_plan(target)) {
      auto plan = read_plan(context_, target);
      if (!plan) return tl::unexpected(plan.error());
      return side_of(target, std::move(*plan));
    }
    return read_files(target, other, member);
  }

 private:
  Stage<Side> read_files(const std::string& target, const Side* other, const std::string& member) {
    std::error_code error;
    const bool is_folder = std::filesystem::is_directory(target, error);
    const Result<std::vector<FabricFile>> files =
        is_folder ? fabric_files(target) : Result<std::vector<FabricFile>>(fail(ErrorKind::usage, ""));
    const bool has_own = files.has_value();
    const bool borrows = !has_own && options_.fabric.empty();
    if (borrows && other == nullptr)
      return tl::unexpected(context_.stop(
          {ErrorKind::usage,
           fmt::format("neither side tells the fabric of its tables; name it with `--fabric`: `{}`",
                       target)}));
    const auto fabric_of = [&]() -> Stage<fabric::Fabric> {
      if (borrows) return fabric::Fabric(*other->fabric);
      return read_fabric(context_, has_own ? target : options_.fabric, {});
    };
    auto observed = read_tables(context_, {target}, fabric_of, member);
    if (!observed) return tl::unexpected(observed.error());
    Side side = side_of(target, std::move(*observed), false);
    if (borrows)
      side.of(Part::fabric) = {Knowledge::Kind::unknown, is_folder
                                                             ? "does not tell them: " + files.error().message
                                                             : "is a file of tables"};
    return side;
  }

  Context& context_;
  const SideOptions& options_;
};

}  // namespace

Side side_of(std::string name, chains::Plan plan) {
  Side side{.name = std::move(name), .fabric = std::move(plan.fabric), .tables = std::move(plan.tables)};
  const auto leaves = [&](Part part, bool is_empty) {
    if (is_empty) side.of(part) = {Knowledge::Kind::left, "leaves them as ports hold them"};
  };
  leaves(Part::sl2vl, side.tables->sl2vl.empty());
  leaves(Part::arbitration, side.tables->arbitration.empty());
  leaves(Part::rate_limits, side.tables->rate_limits.empty());
  leaves(Part::pkeys, side.tables->pkeys.empty());
  return side;
}

Side side_of(std::string name, dumps::Observed observed, bool is_live) {
  if (observed.pkeys) observed.tables.pkeys = pkeys_of(*observed.fabric, *observed.pkeys);
  Side side{.name = std::move(name),
            .fabric = std::move(observed.fabric),
            .tables = std::make_shared<const fabric::RoutingTables>(std::move(observed.tables)),
            .given_sls = std::move(observed.path_sls)};
  const auto lacks = [&](Part part, const std::string& why) {
    side.of(part) = {Knowledge::Kind::unknown, why};
  };
  const std::string none = is_live ? "is not asked for them" : "has no file with them";
  if (!side.given_sls) lacks(Part::sls, is_live ? "is asked for them with `--ask-path-sls` only" : none);
  if (side.tables->sl2vl.empty())
    lacks(Part::sl2vl, observed.no_sl2vl.empty() ? none : "does not tell them all: " + observed.no_sl2vl);
  if (!observed.has_groups) lacks(Part::groups, none);
  lacks(Part::members, "tells the tables of switches alone");
  for (const Part part : {Part::arbitration, Part::rate_limits}) lacks(part, none);
  if (!observed.pkeys) lacks(Part::pkeys, none);
  side.knows_checks = false;
  return side;
}

Stage<Side> read_side(Context& context, const std::string& target, const Side& after,
                      const SideOptions& options) {
  return SideReader(context, options).read(target, &after, "tables_before");
}

Stage<Sides> read_sides(Context& context, const std::string& before, const std::string& after,
                        const SideOptions& options) {
  SideReader reader(context, options);
  const bool after_first = reader.needs_other(before) && !reader.needs_other(after);
  const auto read = [&](bool is_after, const Side* other) {
    return reader.read(is_after ? after : before, other, is_after ? "tables_after" : "tables_before");
  };
  auto first = read(after_first, nullptr);
  if (!first) return tl::unexpected(first.error());
  auto second = read(!after_first, &*first);
  if (!second) return tl::unexpected(second.error());
  return comparable(context,
                    {std::move(after_first ? *second : *first), std::move(after_first ? *first : *second)});
}

Stage<Sides> comparable(Context& context, Sides sides) {
  for (Side* side : {&sides.before, &sides.after})
    side->of(Part::adaptive_groups) =
        side->tables->adaptive.empty()
            ? compare::Knowledge{Knowledge::Kind::left, "has none"}
            : compare::Knowledge{Knowledge::Kind::unknown, "has some, which are not compared"};
  for (const Side* side : {&sides.before, &sides.after})
    if (side->fabric->switch_count() >= std::numeric_limits<std::uint16_t>::max())
      return tl::unexpected(context.stop(
          {ErrorKind::usage, fmt::format("`{}` has {} switches, more than a subnet can have LIDs", side->name,
                                         side->fabric->switch_count())}));
  return sides;
}

std::string describe(const compare::Side& side) {
  std::vector<std::string> steps;
  for (const fabric::RoutedStep& step : side.tables->steps)
    if (step.id.value != 0) steps.push_back(fmt::format("step {} {}", step.id, step.engine));
  return steps.empty() ? side.name : fmt::format("{}: {}", side.name, fmt::join(steps, ", "));
}

}  // namespace rch::cli
