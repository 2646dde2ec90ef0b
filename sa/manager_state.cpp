#include "sa/manager_state.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <xxhash.h>

#include "hw/mad.h"

namespace rch::sa {
namespace {

using hw::Field;

/// Changes with any of the layouts below.
constexpr std::uint16_t kVersion = 3;

// A question, in network order.
constexpr Field kAskedVersion{0, 0, 16};
constexpr std::size_t kAskedNumbers = 8, kAskedConfiguration = 48;

// In front of an answer. Plan, LIDs and records follow, and a hash of it all.
constexpr Field kMagic{0, 0, 32}, kStateVersion{4, 0, 16}, kFlags{6, 0, 16}, kConfiguration{8, 0, 64};
constexpr std::size_t kFrom = 16, kNow = 56, kLengths = 96, kStateFrontSize = 128, kStateHashSize = 8;
constexpr std::uint32_t kRch = 0x72636873;
constexpr std::uint16_t kCounts = 1, kAfresh = 2, kHasPlan = 4, kHasLids = 8, kHasTarget = 16;
/// A table of subnet administration has records of a multiple of so many bytes.
constexpr std::size_t kUnit = 8;

constexpr std::uint64_t StateVersions::*kNumbers[] = {&StateVersions::session, &StateVersions::plan,
                                                      &StateVersions::lids, &StateVersions::records,
                                                      &StateVersions::target};

Field word(std::size_t byte) { return {static_cast<std::uint16_t>(byte), 0, 64}; }

void put(const StateVersions& versions, std::span<std::uint8_t> bytes) {
  for (std::size_t n = 0; n < std::size(kNumbers); ++n) set(bytes, word(8 * n), versions.*kNumbers[n]);
}

StateVersions versions_in(std::span<const std::uint8_t> bytes) {
  StateVersions versions;
  for (std::size_t n = 0; n < std::size(kNumbers); ++n) versions.*kNumbers[n] = get(bytes, word(8 * n));
  return versions;
}

std::uint64_t hash(std::span<const std::uint8_t> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

tl::unexpected<Error> unreadable(std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("no state of a subnet manager: {}", why));
}

}  // namespace

void encode(const StateQuestion& question, std::span<std::uint8_t> data) {
  set(data, kAskedVersion, kVersion);
  put(question.has, data.subspan(kAskedNumbers));
  set(data, word(kAskedConfiguration), question.configuration);
}

std::optional<StateQuestion> decode_question(std::span<const std::uint8_t> data) {
  if (get(data, kAskedVersion) != kVersion) return std::nullopt;
  return StateQuestion{versions_in(data.subspan(kAskedNumbers)), get(data, word(kAskedConfiguration))};
}

std::vector<std::uint8_t> encode(const ManagerState& state) {
  std::vector<std::uint8_t> bytes(kStateFrontSize);
  set(bytes, kMagic, kRch);
  set(bytes, kStateVersion, kVersion);
  set(bytes, kFlags,
      static_cast<std::uint64_t>((state.counts ? kCounts : 0) | (state.afresh ? kAfresh : 0) |
                                 (state.plan ? kHasPlan : 0) | (state.lids ? kHasLids : 0) |
                                 (state.target ? kHasTarget : 0)));
  set(bytes, kConfiguration, state.configuration);
  put(state.from, std::span(bytes).subspan(kFrom));
  put(state.now, std::span(bytes).subspan(kNow));
  const std::string none;
  std::size_t at = kLengths;
  for (const std::string* part : {state.plan ? &*state.plan : &none, state.lids ? &*state.lids : &none,
                                  &state.records, state.target ? &*state.target : &none}) {
    set(bytes, word(at), part->size());
    at += 8;
    bytes.insert(bytes.end(), part->begin(), part->end());
  }
  bytes.resize((bytes.size() + kUnit - 1) / kUnit * kUnit);
  const std::uint64_t sum = hash(bytes);
  bytes.resize(bytes.size() + kStateHashSize);
  set(std::span(bytes).last(kStateHashSize), word(0), sum);
  return bytes;
}

Result<ManagerState> decode_state(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kStateFrontSize + kStateHashSize || get(bytes, kMagic) != kRch)
    return unreadable("it does not begin like one");
  if (const auto version = get(bytes, kStateVersion); version != kVersion)
    return unreadable(fmt::format("it has version {}, this rch reads version {}", version, kVersion));
  const auto covered = bytes.first(bytes.size() - kStateHashSize);
  if (hash(covered) != get(bytes.last(kStateHashSize), word(0))) return unreadable("it is damaged");

  std::array<std::string, 4> parts;
  auto rest = covered.subspan(kStateFrontSize);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::uint64_t length = get(bytes, word(kLengths + 8 * part));
    if (length > rest.size()) return unreadable("a part of it is missing");
    parts[part].assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
    rest = rest.subspan(static_cast<std::size_t>(length));
  }
  const auto has = [&](std::uint16_t flag) { return (get(bytes, kFlags) & flag) != 0; };
  if (rest.size() >= kUnit || (!has(kHasPlan) && !parts[0].empty()) ||
      (!has(kHasLids) && !parts[1].empty()) || (!has(kHasTarget) && !parts[3].empty()))
    return unreadable("its lengths contradict each other");
  ManagerState state{.from = versions_in(bytes.subspan(kFrom)),
                     .now = versions_in(bytes.subspan(kNow)),
                     .configuration = get(bytes, kConfiguration),
                     .counts = has(kCounts),
                     .afresh = has(kAfresh),
                     .records = std::move(parts[2])};
  if (has(kHasPlan)) state.plan = std::move(parts[0]);
  if (has(kHasLids)) state.lids = std::move(parts[1]);
  if (has(kHasTarget)) state.target = std::move(parts[3]);
  return state;
}

}  // namespace rch::sa
