#pragma once

// Notices that agents send as traps (IBA 13.4.8). They come from anybody: every value is possible.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "hw/mad.h"

namespace rch::hw {

struct Notice {
  bool generic = false;      ///< false: a vendor gives `number` its meaning
  std::uint16_t number = 0;  ///< of the trap
  Lid issuer;
  SmpData data{};
};

Notice decode_notice(const SmpData& data);

/// The architecture has such a trap.
bool is_known(const Notice& notice);

/// What a trap is about.
enum class TrapKind : std::uint8_t {
  other,
  errors,           ///< 129 to 131: a port has more errors than its thresholds allow
  wrong_m_key,      ///< 256
  wrong_packet_key  ///< 257 to 259: a P_Key or Q_Key
};
inline constexpr std::size_t kTrapKinds = 4;
TrapKind kind_of(const Notice& notice);

/// The port of the node that it is about. None: it names none.
std::optional<PortNum> port_of(const Notice& notice);

/// "port 3 of LID 7 has too many buffer overruns"; empty for traps that the architecture does not have.
/// M_Keys and Q_Keys are not named.
std::string describe(const Notice& notice);

}  // namespace rch::hw
