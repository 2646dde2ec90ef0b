#include "hw/notice.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rch::hw {
namespace {

constexpr Field kGeneric{0, 0, 1}, kNumber{4, 0, 16}, kIssuer{6, 0, 16};

/// A field of the details, which begin at byte 10.
constexpr Field detail(std::uint16_t byte, std::uint8_t width, std::uint8_t bit = 0) {
  return {static_cast<std::uint16_t>(10 + byte), bit, width};
}

std::uint64_t at(const Notice& notice, Field field) { return get(notice.data, field); }

std::string gid(const Notice& notice, std::uint16_t byte) {
  std::vector<std::string> words;
  for (std::uint16_t w = 0; w < 8; ++w)
    words.push_back(fmt::format("{:x}", at(notice, detail(static_cast<std::uint16_t>(byte + 2 * w), 16))));
  return fmt::format("{}", fmt::join(words, ":"));
}

using Describe = std::string (*)(const Notice&);

template <std::size_t N>
struct Text {
  char text[N];
  constexpr Text(const char (&literal)[N]) { std::copy_n(literal, N, text); }
};

/// About a GID.
template <Text what>
std::string about_gid(const Notice& notice) {
  return fmt::format("{} {}", what.text, gid(notice, 6));
}

/// About a port: LID and number.
template <Text what>
std::string about_port(const Notice& notice) {
  return fmt::format("port {} of LID {} {}", at(notice, detail(4, 8)), at(notice, detail(2, 16)), what.text);
}

std::string link_state(const Notice& notice) {
  return fmt::format("a link of the switch with LID {} came or went", at(notice, detail(0, 16)));
}

std::string local_change(const Notice& notice) {
  struct Flag {
    std::uint16_t bit;
    std::string_view what;
  };
  constexpr std::array<Flag, 6> kFlags{{{0x01, "node description"},
                                        {0x02, "enabled widths"},
                                        {0x04, "enabled speeds"},
                                        {0x08, "priority of its subnet manager"},
                                        {0x10, "hierarchy"},
                                        {0x20, "capabilities (2)"}}};
  std::vector<std::string_view> changed;
  // Without flags that count, the capability mask has changed.
  const std::uint64_t flags = at(notice, detail(5, 8)) != 0 ? at(notice, detail(10, 16)) : 0;
  for (const Flag& flag : kFlags)
    if ((flags & flag.bit) != 0) changed.push_back(flag.what);
  if (changed.empty()) changed.emplace_back("capabilities");
  return fmt::format("LID {} changed: {}", at(notice, detail(2, 16)), fmt::join(changed, ", "));
}

std::string system_guid(const Notice& notice) {
  return fmt::format("LID {} has the system image GUID 0x{:016x} now", at(notice, detail(2, 16)),
                     at(notice, detail(6, 64)));
}

std::string wrong_m_key(const Notice& notice) {
  return fmt::format(
      "a request from LID {} had a wrong M_Key: method 0x{:02x}, attribute 0x{:04x}, modifier 0x{:x}",
      at(notice, detail(2, 16)), at(notice, detail(6, 8)), at(notice, detail(8, 16)),
      at(notice, detail(10, 32)));
}

std::string wrong_p_key(const Notice& notice) {
  return fmt::format("a packet from LID {} to LID {} had the wrong P_Key 0x{:04x}", at(notice, detail(2, 16)),
                     at(notice, detail(4, 16)), at(notice, detail(6, 32)) & 0xFFFFU);
}

std::string wrong_q_key(const Notice& notice) {
  return fmt::format("a packet from LID {} to LID {} had a wrong Q_Key", at(notice, detail(2, 16)),
                     at(notice, detail(4, 16)));
}

std::string wrong_p_key_at_switch(const Notice& notice) {
  return fmt::format(
      "port {} of the switch with LID {} dropped a packet from LID {} to LID {}: P_Key 0x{:04x}",
      at(notice, detail(50, 8)), at(notice, detail(48, 16)), at(notice, detail(2, 16)),
      at(notice, detail(4, 16)), at(notice, detail(6, 16)));
}

struct Trap {
  std::uint16_t number;
  TrapKind kind;
  Describe describe;
  Field port{0, 0, 0};  ///< no width: it names none
};
constexpr Field kPort = detail(4, 8), kSwitchPort = detail(50, 8);
constexpr Trap kTraps[] = {
    {64, TrapKind::other, about_gid<"in service:">},
    {65, TrapKind::other, about_gid<"out of service:">},
    {66, TrapKind::other, about_gid<"new multicast group:">},
    {67, TrapKind::other, about_gid<"deleted multicast group:">},
    {128, TrapKind::other, link_state},
    {129, TrapKind::errors, about_port<"has too many local link errors">, kPort},
    {130, TrapKind::errors, about_port<"has too many buffer overruns">, kPort},
    {131, TrapKind::errors, about_port<"gets no flow control packets">, kPort},
    {144, TrapKind::other, local_change},
    {145, TrapKind::other, system_guid},
    {256, TrapKind::wrong_m_key, wrong_m_key},
    {257, TrapKind::wrong_packet_key, wrong_p_key},
    {258, TrapKind::wrong_packet_key, wrong_q_key},
    {259, TrapKind::wrong_packet_key, wrong_p_key_at_switch, kSwitchPort},
};

/// Null for traps of vendors, and numbers that the architecture does not have.
const Trap* find(const Notice& notice) {
  for (const Trap& trap : kTraps)
    if (notice.generic && trap.number == notice.number) return &trap;
  return nullptr;
}

}  // namespace

Notice decode_notice(const SmpData& data) {
  return {.generic = get(data, kGeneric) != 0,
          .number = static_cast<std::uint16_t>(get(data, kNumber)),
          .issuer = Lid(static_cast<std::uint16_t>(get(data, kIssuer))),
          .data = data};
}

bool is_known(const Notice& notice) { return find(notice) != nullptr; }

std::optional<PortNum> port_of(const Notice& notice) {
  const Trap* trap = find(notice);
  if (trap == nullptr || trap->port.width == 0) return std::nullopt;
  return PortNum(static_cast<std::uint8_t>(at(notice, trap->port)));
}

TrapKind kind_of(const Notice& notice) {
  const Trap* trap = find(notice);
  return trap != nullptr ? trap->kind : TrapKind::other;
}

std::string describe(const Notice& notice) {
  const Trap* trap = find(notice);
  return trap != nullptr ? trap->describe(notice) : std::string();
}

}  // namespace rch::hw
