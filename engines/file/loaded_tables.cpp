#include "engines/file/loaded_tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "engines/common/names.h"

namespace rch::engines::file {
namespace {

using Entry = fabric::LftDump::Entry;

/// What a file may get wrong, in the order of reports.
enum Misfit : std::size_t {
  port_absent,
  switch_unknown,
  switch_missing,
  port_unlinked,
  destination_missing,
  kMisfits
};
struct MisfitText {
  std::string_view rule, text;
};
constexpr std::array<MisfitText, kMisfits> kTexts{{
    {"port-absent", "`lfts_file` leaves by ports that do not exist"},
    {"switch-unknown", "`lfts_file` has tables of switches that are not in this fabric"},
    {"switch-missing", "`lfts_file` has no table of switches that are in this fabric"},
    {"port-unlinked", "`lfts_file` leaves by ports without a link"},
    {"destination-missing", "`lfts_file` lacks entries for end ports"},
}};

/// All of one kind; only the first few are put into words.
class Cases {
 public:
  template <class Text>
  void add(Guid guid, Text&& text) {
    constexpr std::size_t kKept = 10;
    if (texts_.size() < kKept) {
      texts_.push_back(text());
      guids_.push_back(guid);
    }
    ++count_;
  }
  bool any() const { return count_ > 0; }
  std::vector<Guid> guids() const { return guids_; }
  std::string list() const {
    std::vector<std::string> all = texts_;
    all.resize(count_);
    return common::list_some(all, ", ");
  }

 private:
  std::size_t count_ = 0;
  std::vector<std::string> texts_;
  std::vector<Guid> guids_;
};

class Loader {
 public:
  explicit Loader(const fabric::SubFabric& view)
      : view_(view),
        lfts_(view.switch_count(), view.fabric().max_lid()),
        routed_(view.routed_lids()),
        loaded_(view.switch_count()) {}

  void load(const fabric::LftDump& dump) {
    for (const fabric::LftDump::Table& table : dump.tables) {
      const auto sw = common::switch_named(view_.fabric(), table.sw);
      if (!sw)
        cases_[switch_unknown].add(table.sw, [&] { return fmt::format("{}", table.sw); });
      else if (const auto own = view_.view_switch(*sw))
        load(*own, table);
    }
    for (std::uint32_t s = 0; s < view_.switch_count(); ++s) find_missing(SwitchId(s));
  }

  common::Attempt<LoadedTables> finish(bool all_that_fits) && {
    LoadedTables loaded{std::move(lfts_), {}};
    for (std::size_t kind = 0; kind < kMisfits; ++kind) {
      if (!cases_[kind].any()) continue;
      std::string message = fmt::format("{}: {}", kTexts[kind].text, cases_[kind].list());
      if (!all_that_fits || kind == port_absent)
        return common::refuse(kTexts[kind].rule, std::move(message), cases_[kind].guids());
      loaded.remarks.push_back(std::move(message));
    }
    if (collisions_ > 0)
      loaded.remarks.push_back(fmt::format("{} of `lfts_file` replaced by a later line for the same LID",
                                           counted(collisions_, "entry line")));
    return loaded;
  }

 private:
  void load(SwitchId sw, const fabric::LftDump::Table& table) {
    const std::span<std::uint8_t> row = lfts_.row(sw);
    std::ranges::fill(row, kNoPath);
    loaded_.insert(sw);
    for (const Entry& entry : table.entries) {
      if (entry.port > view_.node(sw).num_ports) {
        add_entry(port_absent, sw, entry);
        continue;
      }
      const Lid lid = translated(entry);
      if (!takes(lid)) continue;
      if (is_unlinked(sw, entry.port)) add_entry(port_unlinked, sw, entry);
      if (row[lid.index()] != kNoPath && row[lid.index()] != entry.port) ++collisions_;
      row[lid.index()] = entry.port;
    }
  }

  /// The LID that the owner has now: the same if it is still one of its own, else the one with the same path
  /// bits.
  Lid translated(const Entry& entry) const {
    const auto id = entry.owner == Guid{} ? std::nullopt : view_.fabric().find_port(entry.owner);
    if (!id) return entry.lid;
    const fabric::Port& port = view_.fabric().port(*id);
    const std::uint32_t count = 1U << port.lmc;
    if (entry.lid >= port.lid && entry.lid.value < port.lid.value + count) return entry.lid;
    return Lid(static_cast<std::uint16_t>(port.lid.value + (entry.lid.value & (count - 1))));
  }

  /// A step writes what it routes; the whole fabric takes LIDs that nobody owns, as OpenSM does.
  bool takes(Lid lid) const {
    return view_.is_whole() ? lid != kUnassignedLid && lid <= view_.fabric().max_lid()
                            : routed_.contains(lid);
  }

  bool is_unlinked(SwitchId sw, std::uint8_t port) const {
    const fabric::Fabric& fabric = view_.fabric();
    return port != 0 && fabric.port(fabric.port_id(view_.fabric_switch(sw), PortNum(port))).peer.is_none();
  }

  void add_entry(Misfit kind, SwitchId sw, const Entry& entry) {
    cases_[kind].add(view_.node(sw).guid, [&] {
      return fmt::format("`{}` port {} for LID {} (line {})", view_.node(sw).name(), entry.port, entry.lid,
                         entry.line);
    });
  }

  void find_missing(SwitchId sw) {
    if (!loaded_.contains(sw)) {
      cases_[switch_missing].add(view_.node(sw).guid, [&] { return common::title(view_, sw); });
      return;
    }
    for (const fabric::EndPort& end : view_.end_ports())
      for (std::uint32_t k = 0; end.lid != kUnassignedLid && k < 1U << end.lmc; ++k)
        if (lfts_.row(sw)[end.lid.index() + k] == kNoPath) add_missing(sw, end, end.lid.value + k);
  }

  void add_missing(SwitchId sw, const fabric::EndPort& end, std::uint32_t lid) {
    const fabric::Port& port = view_.fabric().port(end.port);
    cases_[destination_missing].add(port.guid, [&] {
      return fmt::format("`{}` (LID {}) from `{}`", view_.fabric().node(port.node).name(), lid,
                         view_.node(sw).name());
    });
  }

  const fabric::SubFabric& view_;
  fabric::ForwardingTables lfts_;
  IdSet<Lid> routed_;
  IdSet<SwitchId> loaded_;
  std::array<Cases, kMisfits> cases_;
  std::size_t collisions_ = 0;
};

}  // namespace

common::Attempt<LoadedTables> load_tables(const fabric::SubFabric& view, const fabric::LftDump& dump,
                                          bool all_that_fits) {
  Loader loader(view);
  loader.load(dump);
  return std::move(loader).finish(all_that_fits);
}

}  // namespace rch::engines::file
