#pragma once

#include <cstddef>
#include <optional>

#include "isolation/installed_pkeys.h"

namespace rch::isolation {

/// A change of P_Keys in two parts: ports first lose what they are not to hold, then get what is new.
///
///   before ── removals, port by port ──> between ── additions, port by port ──> after
///
/// If no port holds more in between than it did before, and no more than it will after, then every mixture of
/// `before` and `between` lets pass only packets that `before` lets pass, and every mixture of `between` and
/// `after` only those of `after`: whichever ports have been written, no two tenants exchange packets that
/// were apart and will be.
struct PKeyChange {
  /// A P_Key that a port holds in between, and not so before or after.
  struct Excess {
    PortId port;
    std::uint16_t key = 0;
  };
  std::size_t losing = 0, gaining = 0;  ///< ports that lose P_Keys or full memberships, and that get some
  std::optional<Excess> excess{};       ///< the first; nothing: every transient state is safe

  bool none() const { return losing + gaining == 0; }
};

/// Looks at the ports that are known in `between`; these must be known in all.
PKeyChange judge_change(const InstalledPKeys& before, const InstalledPKeys& between,
                        const InstalledPKeys& after);

}  // namespace rch::isolation
