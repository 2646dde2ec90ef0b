#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "policy/model/policy.h"

namespace rch::policy {

/// How the value of an option reads (config-files 1.1, 8).
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

/// One field of a QoS set.
enum class QosField : std::uint8_t { max_vls, high_limit, vlarb_high, vlarb_low, sl2vl };
struct QosMember {
  QosSet Options::*set;
  QosField field;
};

/// Where rch puts the value; nothing: nowhere.
using Member =
    std::variant<std::monostate, bool Options::*, std::uint8_t Options::*, std::uint16_t Options::*,
                 std::uint32_t Options::*, std::uint64_t Options::*, std::string Options::*,
                 std::vector<std::string> Options::*, std::vector<Guid> Options::*, PartEnforce Options::*,
                 std::optional<std::filesystem::path> Options::*,
                 std::optional<fabric::FatTreeShape> Options::*, QosMember>;

/// One key of opensm.conf.
struct OptionKey {
  std::string_view name;
  OptionType type = OptionType::text;
  std::string_view initial;  ///< OpenSM's default as it is written; empty: unset or unpublished
  bool updatable = false;    ///< SIGHUP re-reads it
  bool per_step = false;     ///< has effect in the options file of a routing-chain step
  std::string_view nvidia;   ///< NVIDIA SM's default where it differs
  Maker maker = Maker::opensm;
  Member member;
  bool has_effect = false;  ///< rch acts on it
};

/// Legal values narrower than the type.
struct OptionLimit {
  std::string_view name;
  std::string_view allowed;        ///< `0-7,15`
  std::string_view fallback;       ///< what OpenSM and rch use instead, with a warning; empty: an error
  std::string_view for_zero = {};  ///< what they use for 0 if that is something else
};

/// Legal words of a text option.
struct OptionChoice {
  std::string_view name;
  std::string_view words;  ///< separated by blanks
  std::string_view fallback;
};

/// A word people write in place of a key; suggested, or applied when `applies`.
struct OptionAlias {
  std::string_view alias;
  std::string_view key;
  bool applies = false;
};

/// All keys of OpenSM and NVIDIA SM (config-files 1.2-1.5, 8).
std::span<const OptionKey> option_table();
/// Null if the key is unknown.
const OptionKey* find_option(std::string_view name);
const OptionLimit* find_limit(std::string_view name);
const OptionChoice* find_choice(std::string_view name);
const OptionAlias* find_alias(std::string_view word);

}  // namespace rch::policy
