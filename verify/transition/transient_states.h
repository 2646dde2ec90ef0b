#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verify/transition/change.h"
#include "verify/verify.h"

namespace rch::verify {

/// One hop of a hazard: packets for `destination` on the channel that leaves `sw` by `out` on `vl`.
struct TransientHop {
  SwitchId sw;
  PortNum out;
  std::uint8_t vl = 0;
  Lid destination;
  bool installed = false;  ///< the installed table sends them there
  bool target = false;     ///< the target table does
};

/// A loop that a transient state can have.
struct Hazard {
  FindingKind kind = FindingKind::credit_loop;  ///< or loop
  std::vector<TransientHop>
      hops;             ///< each depends on the next, or sends to it; the last on, or to, the first
  std::string message;  ///< one sentence that names them
};

/// The SL2VL maps that packets meet, and the service levels they have.
enum class Packets : std::uint8_t {
  before,  ///< nothing of the target is written: installed maps, previous service levels
  during,  ///< both maps, both service levels
  after,   ///< the maps are written: target maps, both service levels
};

/// All transient states of installed and target tables at once, each move in a stage of its own. If their
/// common dependency graph has no cycle (docs/decisions/0009), no state that the switches can pass through
/// has a credit loop or a forwarding loop, whatever packets are under way.
///
/// Multicast is left out: its tables are not changed along with these.
class TransientStates {
 public:
  virtual ~TransientStates() = default;

  virtual const Moves& moves() const = 0;
  virtual const Wiring& wiring() const = 0;
  /// From here on installed entries that lead nowhere count as target entries.
  virtual void set_repaired(bool repaired) = 0;

  /// By move: packets for it can be caught in a forwarding loop while it is in that stage.
  virtual std::vector<bool> looping(Stage stage) = 0;
  /// Sets the stages, by move. Returns the hazard if there is one.
  virtual std::optional<Hazard> settle(std::span<const Stage> stages, Packets packets = Packets::during) = 0;
  /// Brings moves into a stage besides the one they are in, after settle() for packets during the update.
  /// Returns false, and changes nothing, if that is unsafe.
  virtual bool add(std::span<const std::uint32_t> moves, Stage stage) = 0;
};

/// `proven`: graph of the target tables as verify() gave it, which saves walks; may be null. Keeps references
/// to it and to `change`.
std::unique_ptr<TransientStates> make_transient_states(const Change& change,
                                                       const ChannelDependencyGraph* proven);

}  // namespace rch::verify
