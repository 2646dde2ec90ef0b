#pragma once

#include <optional>
#include <vector>

#include "fabric/parts.h"
#include "verify/account.h"
#include "verify/adaptive/choices.h"
#include "verify/service_levels.h"
#include "verify/survey.h"
#include "verify/trace.h"

namespace rch::verify {

/// What may become of packets of one service level to one destination, wherever they are.
class Ways {
 public:
  Ways(const Context& context, const Choices& choices);

  void set(const Destination& to, std::uint8_t sl);
  bool is_set(const Destination& to, std::uint8_t sl) const { return to_.lid == to.lid && sl_ == sl; }

  /// What may happen to a packet of a source, if it is sent: a path that breaks off comes before a lost one
  /// for want of a VL, and that before a forwarding loop. Nothing: it arrives whatever the switches choose.
  std::optional<FindingKind> worst(const Source& source) const;

  /// A way of the fewest hops on which that happens.
  std::optional<Trace> way(const Source& source, FindingKind kind) const;
  /// A way on which the packet takes both channels one after the other.
  std::optional<Trace> way(const Source& source, const Dependency& dependency) const;

  /// Switches whose choices lead round, in the order of the way; empty: there are none.
  std::vector<SwitchId> loop() const;

 private:
  struct Step;
  class Search;

  bool is_end(std::size_t sw, std::uint8_t out) const {
    return !to_.owner.port.is_none() && to_.handed_over(sw, out);
  }
  bool drops(std::size_t sw, std::size_t in, std::uint8_t out) const {
    return (context_.lanes.at(sw, in, out).drops & sl_bit(sl_)) != 0;
  }
  /// Where nothing is dropped for want of a lane, it does not matter by which port packets come in.
  std::size_t place(std::size_t sw, std::size_t in) const {
    return context_.wiring.slot(sw, may_drop_ ? in : 0);
  }
  std::uint8_t kinds_of(std::size_t sw, std::size_t in) const;
  void set_ends();
  void set_kinds();

  const Context& context_;
  const Choices& choices_;
  Destination to_{};
  std::uint8_t sl_ = 0;
  bool may_drop_ = false;               ///< some SL2VL map of the proof drops packets
  std::vector<fabric::PortMask> outs_;  ///< by switch
  std::vector<std::uint8_t> ends_;      ///< by switch: no choice leads round
  /// By slot of the port by which packets come in, or of port 0 where that does not matter: kLost, kDropped.
  std::vector<std::uint8_t> kinds_;
};

/// The lowest port by which `sw` may send packets of some service level to `next`, which there is.
PortNum port_that_may_lead(const Context& context, Lid lid, SwitchId sw, SwitchId next);

/// Counts the pairs that may be lost on the way to these destinations.
Tally lost_pairs_by_choice(const Context& context, const Choices& choices,
                           std::span<const Destination> destinations);

}  // namespace rch::verify
