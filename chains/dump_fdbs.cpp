#include <algorithm>
#include <array>
#include <iterator>

#include "chains/dump_set.h"

namespace rch::chains {
namespace {

using Row = DumpSet::Row;

/// Formats the table of one switch.
class SwitchLines {
 public:
  SwitchLines(const DumpSet& set, const Row& row, const std::vector<LidOwner>& owners, std::string& out)
      : set_(set), row_(row), owners_(owners), ports_(set.fabric().node(row.sw).num_ports), out_(out) {}

  void append() {
    fmt::format_to(std::back_inserter(out_), "dump_ucast_routes: Switch {}\nLID    : Port : Hops : Optimal\n",
                   set_.fabric().node(row_.sw).guid);
    for (std::size_t lid = 1; lid < owners_.size(); ++lid) {
      append_lid(lid);
      const std::uint8_t port = row_.lft.empty() ? kNoPath : row_.lft[lid];
      if (owners_[lid].sw.is_none() || port > ports_)
        out_ += "UNREACHABLE\n";
      else
        append_route(owners_[lid], PortNum(port));
    }
  }

 private:
  void append_lid(std::size_t lid) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    out_ +=
        {'0', 'x', kDigits[lid >> 12], kDigits[lid >> 8 & 15], kDigits[lid >> 4 & 15], kDigits[lid & 15], ' ',
         ':', ' '};
  }

  void append_digits(std::uint8_t value, int digits) {
    for (int scale = digits == 3 ? 100 : 10; scale > 0; scale /= 10)
      out_ += static_cast<char>('0' + value / scale % 10);
  }

  /// The quirks of OpenSM's 8-bit arithmetic are kept: an unknown distance plus one is 0 (OpenSM's
  /// osm_dump.c).
  void append_route(const LidOwner& to, PortNum port) {
    const bool host = !to.is_switch();
    const bool here = host && to.sw == row_.sw;
    const std::uint8_t least = set_.hops(row_, to.sw);
    const std::uint8_t taken = here ? std::uint8_t{0} : set_.hops(row_, to.sw, port);
    append_digits(port.value, 3);
    if (taken == engines::HopMatrix::kUnknown) {
      out_ += "  : HOPS UNKNOWN\n";
      return;
    }
    const auto shown = static_cast<std::uint8_t>(taken + (host ? 1 : 0));
    const auto best = static_cast<std::uint8_t>(least + (host ? 1 : 0));
    out_ += "  : ";
    if (shown < 100)
      append_digits(shown, 2);
    else
      append_digits(shown, 3);
    if (shown == best)
      out_ += "   : yes\n";
    else
      fmt::format_to(std::back_inserter(out_), "   : No {} hop path possible via port {}!\n", best,
                     alternative(to, least));
  }

  /// Port that the default balancer would take now.
  PortNum alternative(const LidOwner& to, std::uint8_t least) {
    if (to.sw == row_.sw) return to.attach;
    if (!counted_) count();
    PortNum best(kNoPath);
    for (std::uint32_t p = 1; p <= ports_; ++p) {
      const PortNum port(static_cast<std::uint8_t>(p));
      if (set_.hops(row_, to.sw, port) != least || least == engines::HopMatrix::kUnknown) continue;
      if (best == PortNum(kNoPath) || load_[p] < load_[best.index()]) best = port;
    }
    return best;
  }

  /// Load counters as the balancer keeps them: one per destination LID of a host (OpenSM's osm_switch.c).
  void count() {
    for (std::size_t lid = 1; lid < owners_.size(); ++lid)
      if (!owners_[lid].sw.is_none() && !owners_[lid].is_switch()) ++load_[row_.lft[lid]];
    counted_ = true;
  }

  const DumpSet& set_;
  const Row& row_;
  const std::vector<LidOwner>& owners_;
  const std::uint8_t ports_;
  std::string& out_;
  std::array<std::uint32_t, 256> load_{};
  bool counted_ = false;
};

}  // namespace

// opensm.fdbs, as OpenSM's osm_dump.c writes it.
Result<void> dump_fdbs(const std::filesystem::path& path, const DumpSet& set) {
  const std::vector<LidOwner> owners = lid_owners(set.fabric());
  return write_pieces(path, set.rows().size(), [&](std::size_t i, std::string& out) {
    SwitchLines(set, set.rows()[i], owners, out).append();
  });
}

}  // namespace rch::chains
