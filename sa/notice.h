#pragma once

#include <array>

#include "sa/gid.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// Notice as a Report carries it (IBA 13.4.8).
namespace notice {
using hw::Field;
inline constexpr std::size_t kSize = 80, kTrapSize = 64;
inline constexpr Field kGeneric{0, 0, 1}, kType{0, 1, 7};
inline constexpr Field kProducer{1, 0, 24};
inline constexpr Field kTrapNumber{4, 0, 16};
inline constexpr Field kIssuerLid{6, 0, 16};
inline constexpr std::size_t kDetails = 10, kIssuerGid = 64;
inline constexpr std::size_t kSubjectGid = kDetails + 6;  ///< of traps 64 to 67
/// Fields of trap 144.
inline constexpr Field kChangedLid{kDetails + 2, 0, 16}, kNewCapabilities{kDetails + 6, 0, 32};

/// Traps of a subnet manager.
enum Trap : std::uint16_t { in_service = 64, out_of_service = 65, group_created = 66, group_deleted = 67 };
/// Capabilities of a port.
inline constexpr std::uint16_t kLocalChange = 144;
/// Bad M_Key, P_Key and Q_Key: for the trusted only.
inline constexpr std::uint16_t kFirstSecurityTrap = 256, kLastSecurityTrap = 259;
}  // namespace notice

using Notice = std::array<std::uint8_t, notice::kSize>;

/// The notice of a trap that a port sent: the GID of the issuer is added.
Notice notice_of_trap(const Snapshot& snapshot, std::span<const std::uint8_t> trap, Lid from);
/// What the subnet manager itself tells: `subject` came, went, was created or deleted.
Notice notice_of(const Snapshot& snapshot, notice::Trap trap, const Gid& subject);

}  // namespace rch::sa
