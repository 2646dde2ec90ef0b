#include "perfmgr/counters.h"

namespace rch::perfmgr {
namespace {

using hw::Field;

/// By Counter. Packets by cast have no bit: they are never cleared.
constexpr CounterRow kRows[] = {
    {"PortXmitData", Field{24, 0, 32}, Field{8, 0, 64}, 12},
    {"PortRcvData", Field{28, 0, 32}, Field{16, 0, 64}, 13},
    {"PortXmitPkts", Field{32, 0, 32}, Field{24, 0, 64}, 14},
    {"PortRcvPkts", Field{36, 0, 32}, Field{32, 0, 64}, 15},
    {"PortUnicastXmitPkts", {}, Field{40, 0, 64}},
    {"PortUnicastRcvPkts", {}, Field{48, 0, 64}},
    {"PortMultiCastXmitPkts", {}, Field{56, 0, 64}},
    {"PortMultiCastRcvPkts", {}, Field{64, 0, 64}},
    {"SymbolErrorCounter", Field{4, 0, 16}, Field{72, 0, 64}, 0, true},
    {"LinkErrorRecoveryCounter", Field{6, 0, 8}, Field{80, 0, 64}, 1, true},
    {"LinkDownedCounter", Field{7, 0, 8}, Field{88, 0, 64}, 2, true},
    {"PortRcvErrors", Field{8, 0, 16}, Field{96, 0, 64}, 3, true},
    {"PortRcvRemotePhysicalErrors", Field{10, 0, 16}, Field{104, 0, 64}, 4, true},
    {"PortRcvSwitchRelayErrors", Field{12, 0, 16}, Field{112, 0, 64}, 5, true},
    {"PortXmitDiscards", Field{14, 0, 16}, Field{120, 0, 64}, 6, true},
    {"PortXmitConstraintErrors", Field{16, 0, 8}, Field{128, 0, 64}, 7, true},
    {"PortRcvConstraintErrors", Field{17, 0, 8}, Field{136, 0, 64}, 8, true},
    {"LocalLinkIntegrityErrors", Field{19, 0, 4}, Field{144, 0, 64}, 9, true},
    {"ExcessiveBufferOverrunErrors", Field{19, 4, 4}, Field{152, 0, 64}, 10, true},
    {"VL15Dropped", Field{22, 0, 16}, Field{160, 0, 64}, 11, true},
    {"PortXmitWait", Field{40, 0, 32}, Field{168, 0, 64}, 16},
};
static_assert(std::size(kRows) == kCounterCount);

/// Counters that PortCountersExtended always has, and those of packets by cast.
constexpr std::size_t kData64 = 4, kCasts = 8;

void decode(Data data, Reading& reading, const Abilities& abilities,
            const Field* (*field_of)(Counter, const Abilities&)) {
  for (std::size_t c = 0; c < kCounterCount; ++c) {
    const Field* field = field_of(static_cast<Counter>(c), abilities);
    if (field == nullptr) continue;
    reading.values[c] = get(data, *field);
    reading.present.set(c);
  }
}

}  // namespace

const CounterRow& row_of(Counter counter) { return kRows[static_cast<std::size_t>(counter)]; }

std::span<const CounterRow, kCounterCount> counter_rows() { return kRows; }

const Field* wide_field(Counter counter, const Abilities& abilities) {
  const auto c = static_cast<std::size_t>(counter);
  const bool is_there = c < kData64  ? abilities.wide
                        : c < kCasts ? abilities.wide && abilities.casts
                                     : abilities.wide && abilities.wide_errors;
  return is_there ? &*kRows[c].wide : nullptr;
}

const Field* narrow_field(Counter counter, const Abilities& abilities) {
  if (wide_field(counter, abilities) != nullptr) return nullptr;
  if (counter == Counter::xmit_wait && !abilities.xmit_wait) return nullptr;
  const CounterRow& row = row_of(counter);
  return row.narrow ? &*row.narrow : nullptr;
}

void decode_port_counters(Data data, const Abilities& abilities, Reading& reading) {
  decode(data, reading, abilities, narrow_field);
}

void decode_port_counters_extended(Data data, const Abilities& abilities, Reading& reading) {
  decode(data, reading, abilities, wide_field);
}

ClassPortInfo decode_class_port_info(Data data) {
  namespace cpi = class_port_info;
  const bool casts = get(data, cpi::kWideAndCasts) != 0;
  const bool wide = casts || get(data, cpi::kWideNoCasts) != 0;
  return {.abilities = {.wide = wide,
                        .casts = casts,
                        .wide_errors = wide && get(data, cpi::kWideErrors) != 0,
                        .xmit_wait = get(data, cpi::kXmitWait) != 0},
          .redirection = {.lid = Lid(static_cast<std::uint16_t>(get(data, cpi::kRedirectLid))),
                          .queue_pair = static_cast<std::uint32_t>(get(data, cpi::kRedirectQueuePair)),
                          .queue_key = static_cast<std::uint32_t>(get(data, cpi::kRedirectQKey)),
                          .pkey = static_cast<std::uint16_t>(get(data, cpi::kRedirectPKey)),
                          .service_level = static_cast<std::uint8_t>(get(data, cpi::kRedirectSl))}};
}

}  // namespace rch::perfmgr
