#pragma once

// What a master tells managers that stand by (docs/decisions/0023): the question and the answer of the
// attribute `manager_state`, of our own. Whoever reads it trusts none of it: every length is checked, and a
// hash covers the whole answer. M_Keys and other secrets are not in it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace rch::sa {

/// How much of the state of a master somebody has. All zero: nothing.
struct StateVersions {
  std::uint64_t session = 0;  ///< one time of one manager as master; the numbers below are of it
  std::uint64_t plan = 0;     ///< changes with the installed plan
  std::uint64_t lids = 0;     ///< changes with the LIDs that ports have or had
  std::uint64_t records = 0;  ///< of the journal
  std::uint64_t target = 0;   ///< the plan that is about to be installed, numbered as `plan`; 0: none

  friend bool operator==(const StateVersions&, const StateVersions&) = default;
};

/// What a standby asks.
struct StateQuestion {
  StateVersions has;
  std::uint64_t configuration = 0;  ///< its own hash; 0: it takes over from any configuration

  friend bool operator==(const StateQuestion&, const StateQuestion&) = default;
};

/// The data of a question. `data` has 200 bytes.
void encode(const StateQuestion& question, std::span<std::uint8_t> data);
/// Nothing: another version of rch asks.
std::optional<StateQuestion> decode_question(std::span<const std::uint8_t> data);

/// What changed since `from`.
struct ManagerState {
  StateVersions from, now;
  std::uint64_t configuration = 0;      ///< hash of what decides routes and isolation
  bool counts = false;                  ///< hosts are answered when this standby has what they registered
  bool afresh = false;                  ///< `records` are all that there are, not those behind `from.records`
  std::optional<std::string> plan{};    ///< a plan file; not sent to who has it as target
  std::optional<std::string> target{};  ///< another one
  std::optional<std::string> lids{};    ///< a guid2lid file
  std::string records{};                ///< journal records, without the heading

  friend bool operator==(const ManagerState&, const ManagerState&) = default;
};

/// The records of an answer.
std::vector<std::uint8_t> encode(const ManagerState& state);
/// Fails (usage) when they are not what encode() makes.
Result<ManagerState> decode_state(std::span<const std::uint8_t> bytes);

}  // namespace rch::sa
