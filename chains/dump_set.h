#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engines/engine.h"
#include "fabric/adaptive_tables.h"
#include "fabric/multicast.h"
#include "fabric/sub_fabric.h"

namespace rch::chains {

/// One set of tables as the dump writers see it: switches in OpenSM's order, each with its rows if there are
/// any.
class DumpSet {
 public:
  struct Row {
    SwitchId sw;                         ///< of the fabric
    std::span<const std::uint8_t> lft;   ///< empty: nothing is routed
    std::span<const std::uint8_t> hops;  ///< empty: distances unknown
  };

  /// What the engine of a step made of its view; null tables for an engine that failed. Keeps references.
  DumpSet(const fabric::SubFabric& view, const engines::StepTables* tables);
  /// The tables of the whole fabric, and distances if there are any. Keeps references.
  DumpSet(const fabric::SubFabric& whole, const fabric::ForwardingTables& lfts,
          const engines::HopMatrix* hops);

  const fabric::Fabric& fabric() const { return view_.fabric(); }
  std::span<const Row> rows() const { return rows_; }
  /// Port with the cable it belongs to.
  bool has_link(PortId port) const;

  /// Fewest hops from the row's switch to another; 255 unknown (OpenSM's osm_dump.c).
  std::uint8_t hops(const Row& row, SwitchId to) const;
  /// Hops to `to` when leaving by `port`.
  std::uint8_t hops(const Row& row, SwitchId to, PortNum port) const;

 private:
  DumpSet(const fabric::SubFabric& view, const fabric::ForwardingTables* lfts,
          const engines::HopMatrix* hops);

  const fabric::SubFabric& view_;
  const engines::HopMatrix* hops_;
  std::vector<Row> rows_;
};

/// Who owns each LID, looked up once for all switches.
struct LidOwner {
  PortId port = PortId::none();
  SwitchId sw = SwitchId::none();  ///< that it is, or hangs on; none for a port that hangs on no switch
  PortNum attach;                  ///< port of `sw` that delivers; 0 for the switch itself
  bool is_switch() const { return !sw.is_none() && attach == PortNum(0); }
};
/// By LID, 0..max_lid.
std::vector<LidOwner> lid_owners(const fabric::Fabric& fabric);

/// Node description as OpenSM prints it: bytes that are no printable ASCII become blanks (OpenSM's
/// osm_dump.c).
std::string printable(std::string_view description);
/// `Channel Adapter`, `Switch`, `Router`.
std::string_view type_word(fabric::NodeType type);

/// Writes `count` pieces of text in order, produced on all threads; `piece(i, out)` appends the i-th.
/// Fails (usage) when the file cannot be written.
Result<void> write_pieces(const std::filesystem::path& path, std::size_t count,
                          const std::function<void(std::size_t, std::string&)>& piece);

// The files, each in a source file of its own (OpenSM's osm_dump.c).
Result<void> dump_fdbs(const std::filesystem::path& path, const DumpSet& set);
Result<void> dump_lfts(const std::filesystem::path& path, const DumpSet& set);
Result<void> dump_lid_matrix(const std::filesystem::path& path, const DumpSet& set);
Result<void> dump_subnet(const std::filesystem::path& path, const DumpSet& set);
Result<void> dump_ca_order(const std::filesystem::path& path, const fabric::Fabric& fabric,
                           std::span<const PortId> order);
Result<void> dump_sl2vl(const std::filesystem::path& path, const fabric::Fabric& fabric,
                        const fabric::Sl2VlTables& tables);
Result<void> dump_far(const std::filesystem::path& path, const DumpSet& set,
                      const fabric::AdaptiveTables& adaptive);
Result<void> dump_mcfdbs(const std::filesystem::path& path, const DumpSet& set,
                         std::span<const fabric::MulticastGroup> groups);

}  // namespace rch::chains
