#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace rch {

/// An integer that means one thing only. Ids of different tags neither compare nor convert.
template <class Tag, class Rep>
struct Id {
  using rep = Rep;
  Rep value{};

  constexpr Id() = default;
  constexpr explicit Id(Rep v) : value(v) {}

  /// The id that names nothing: the largest value of the representation.
  static constexpr Id none() { return Id(std::numeric_limits<Rep>::max()); }
  constexpr bool is_none() const { return *this == none(); }
  /// For indexing arrays that run parallel to what the id counts.
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }

  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

/// Index of a node of one Fabric: switches first, then channel adapters and routers.
using NodeId = Id<struct NodeTag, std::uint32_t>;
/// Index of a switch of one Fabric or one SubFabric. In a Fabric it has the value of its NodeId.
using SwitchId = Id<struct SwitchTag, std::uint32_t>;
/// Index into the one port array of a Fabric.
using PortId = Id<struct PortTag, std::uint32_t>;
/// Port number on its node: 0 is a switch's own port, 1.. are the physical ones, 255 (none) is "no path".
using PortNum = Id<struct PortNumTag, std::uint8_t>;
/// Local identifier. 0 is unassigned, 1..0xBFFF are unicast.
using Lid = Id<struct LidTag, std::uint16_t>;
/// 64-bit globally unique identifier of a node, port or system.
using Guid = Id<struct GuidTag, std::uint64_t>;
/// `id:` of a unicast step in a routing chain.
using StepId = Id<struct StepTag, std::uint32_t>;
/// `id:` of a topology; 0 is the whole fabric.
using TopologyId = Id<struct TopologyTag, std::uint32_t>;

inline constexpr Lid kUnassignedLid{0};
inline constexpr Lid kMaxUnicastLid{0xBFFF};
/// Entry of a forwarding table that drops the packet.
inline constexpr std::uint8_t kNoPath = 255;

}  // namespace rch

template <class Tag, class Rep>
struct std::hash<rch::Id<Tag, Rep>> {
  std::size_t operator()(rch::Id<Tag, Rep> id) const noexcept { return std::hash<Rep>{}(id.value); }
};

namespace rch::detail {
/// Formats `value` as fmt does by `spec`; compiled once, for fmt's own templates would be in every file.
fmt::format_context::iterator format_id(std::uint64_t value, fmt::string_view spec, fmt::format_context& ctx);
fmt::format_context::iterator format_guid(std::uint64_t value, fmt::format_context& ctx);
}  // namespace rch::detail

/// An id prints in decimal; a format spec applies to the number.
template <class Tag, class Rep>
struct fmt::formatter<rch::Id<Tag, Rep>> {
  constexpr auto parse(fmt::format_parse_context& ctx) {
    auto end = ctx.begin();
    while (end != ctx.end() && *end != '}') ++end;
    spec_ = {ctx.begin(), static_cast<std::size_t>(end - ctx.begin())};
    return end;
  }
  auto format(rch::Id<Tag, Rep> id, fmt::format_context& ctx) const {
    return rch::detail::format_id(id.value, spec_, ctx);
  }

 private:
  fmt::string_view spec_;
};
/// A Guid prints as 0x and 16 digits.
template <>
struct fmt::formatter<rch::Guid> {
  constexpr auto parse(fmt::format_parse_context& ctx) { return ctx.begin(); }
  auto format(rch::Guid guid, fmt::format_context& ctx) const {
    return rch::detail::format_guid(guid.value, ctx);
  }
};
