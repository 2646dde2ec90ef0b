#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "base/diagnostic.h"
#include "policy/model/options.h"

namespace rch::policy {

/// How the value of an option reads (docs/configuration.md and opensm(8), QOS CONFIGURATION).
enum class OptionType : std::uint8_t {
  boolean,
  u8,
  u16,
  u32,
  u64,
  number,  ///< of unpublished width, may be negative
  text,
  path,
  words,       ///< split on commas and blanks
  high_limit,  ///< -1 (unset) or 0..255
  vl_weights,  ///< `VL:WEIGHT,…`
  sl2vl,       ///< 16 VLs
  mask256,     ///< 256-bit hexadecimal
  delay,       ///< `shift:mult`
  delays,      ///< list of them
  per_sl,      ///< `SL INT`, once per SL
  subjects,    ///< of activity_report_subjects
  guids,       ///< GUIDs separated by commas, 0 for none
  fat_tree,    ///< `PGFT(h;M1,…;W1,…;P1,…)` or `QFT(…)`
};

/// Which subnet manager knows a key: OpenSM (and with it NVIDIA SM), or NVIDIA SM alone.
enum class Maker : std::uint8_t { opensm, nvidia };

/// What an option is about, which says how much it matters when it has no effect.
enum class Concern : std::uint8_t {
  of_section,  ///< of a row that says nothing of its own
  other,
  routing,   ///< which paths there are, and on which lanes
  security,  ///< who may talk to whom, and who may manage the fabric
  process,   ///< logs, dumps, threads and timers of the other manager itself
};

/// The member of Options that holds a value.
using OptionField =
    std::variant<bool*, std::uint8_t*, std::uint16_t*, std::uint32_t*, std::uint64_t*, std::string*,
                 std::vector<std::string>*, std::vector<Guid>*, PartEnforce*, HealthAction*, OptionalPath*,
                 std::optional<fabric::FatTreeShape>*, std::optional<std::uint8_t>*,
                 std::optional<VlWeights>*, std::optional<SlToVl>*>;

/// One key of opensm.conf.
struct OptionKey {
  std::string_view name;
  OptionType type = OptionType::text;
  std::string_view initial;  ///< OpenSM's default as it is written; empty: unset or unpublished
  std::string_view nvidia;   ///< NVIDIA SM's default where it differs
  Maker maker = Maker::opensm;
  Concern concern = Concern::of_section;
  bool updatable = false;  ///< OpenSM reads it again on SIGHUP
  bool at_start = false;   ///< `rch run` takes it at its start only; else a reload makes it take effect
  bool secret = false;     ///< shown to nobody who asks a running manager
  bool of_host = false;    ///< two managers of one fabric may have it otherwise
  bool per_step = false;   ///< has effect in the options file of a routing-chain step
  OptionField (*field)(Options&) = nullptr;  ///< null: rch does not keep the value

  /// Legal values narrower than the type: numbers as `0-7,15`, words separated by blanks; empty: all.
  std::string_view allowed;
  std::string_view fallback;  ///< what OpenSM and rch use instead, with a warning; empty: an error
  std::string_view for_zero;  ///< what they use for 0 if that is something else
  std::string_view old_name;  ///< read as this key, with a warning
  std::string_view also;      ///< words people write in its place, separated by blanks; suggestions
  /// Keys without which it does nothing, separated by blanks; `!KEY`: it does nothing beside a KEY that is
  /// not at its default.
  std::string_view needs;

  bool in_plan = false;     ///< the commit needs it: a plan file keeps it
  std::string_view effect;  ///< what rch does with it; empty: nothing yet
  std::string_view reason;  ///< why it has no effect

  bool has_effect() const { return !effect.empty(); }
  /// Without it, rch would route, or guard, the fabric otherwise than the file asks.
  bool is_serious() const { return concern == Concern::routing || concern == Concern::security; }
};

/// All keys of OpenSM and NVIDIA SM (docs/options.md and opensm(8), QOS CONFIGURATION).
std::span<const OptionKey> option_table();
/// Null if the key is unknown.
const OptionKey* find_option(std::string_view name);
/// What must not be set, by `!KEY` in `needs`: "disable_multicast", or "KEY FALSE" where TRUE is the default.
std::string excluded_setting(std::string_view needs);
/// The key with that old name; null if there is none.
const OptionKey* find_old_name(std::string_view name);
/// The key in whose place people write the word; null if there is none.
const OptionKey* find_meant(std::string_view word);

/// Keys with a title for documentation.
struct OptionSection {
  std::string_view title;
  std::span<const OptionKey> keys;
};
/// The parts of option_table(), in its order.
std::span<const OptionSection> option_sections();

/// Calls f(word) for each word of a list separated by blanks.
template <class F>
void for_each_word(std::string_view list, F&& f) {
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(' '));
    if (!word.empty()) f(word);
    list.remove_prefix(std::min(list.size(), word.size() + 1));
  }
}

}  // namespace rch::policy
