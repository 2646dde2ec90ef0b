#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verify/transition/change.h"
#include "verify/verify.h"

namespace rch::verify {

/// One hop of a danger: packets for `destination` on the channel that leaves `sw` by `out` on `vl`.
struct MixHop {
  SwitchId sw;
  PortNum out;
  std::uint8_t vl = 0;
  Lid destination;
  bool held = false;    ///< the held table sends them this way
  bool wanted = false;  ///< the wanted table does
};

/// What can happen in a mix of held and wanted tables.
struct Danger {
  FindingKind kind = FindingKind::credit_loop;  ///< or loop
  std::vector<MixHop> hops;  ///< each waits for the next, or sends to it; the last for, or to, the first
  std::string message;       ///< one sentence that names them
};

/// Mixes of held and wanted tables, with each move in a stage of its own: is the transition graph free of
/// circles (routing-engines 12.4)? If it is, no state that the switches can pass through has a credit loop or
/// a forwarding loop, whatever packets are still on their way.
///
/// Multicast is left out: its tables are not changed along with these.
/// SL2VL maps that change may be the held or the wanted ones all the time, as may service levels.
class Mixes {
 public:
  virtual ~Mixes() = default;

  virtual const Moves& moves() const = 0;
  virtual const Wiring& wiring() const = 0;
  /// From here on held entries that lead nowhere count as the wanted ones.
  virtual void set_repaired(bool repaired) = 0;

  /// Makes the mix with these stages, by move, the present one. Gives the danger if there is one.
  virtual std::optional<Danger> settle(std::span<const Stage> stages) = 0;
  /// Brings moves into a stage besides the one they are in, unless the present mix becomes dangerous by it;
  /// false then, and nothing is changed.
  virtual bool add(std::span<const std::uint32_t> moves, Stage stage) = 0;
};

/// `proven`: graph of the wanted tables as verify() gave it, which saves walks; may be null. `change` and it
/// must outlive the mixes.
std::unique_ptr<Mixes> make_mixes(const Change& change, const ChannelGraph* proven);

}  // namespace rch::verify
