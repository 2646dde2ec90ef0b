#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "policy/policy.h"

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
};

/// Where rch puts the value; nothing: accepted, no effect yet.
using Member =
    std::variant<std::monostate, bool Options::*, std::uint8_t Options::*, std::uint32_t Options::*,
                 std::uint64_t Options::*, std::vector<std::string> Options::*,
                 std::optional<std::filesystem::path> Options::*>;

/// One key of opensm.conf.
struct OptionKey {
  std::string_view name;
  OptionType type = OptionType::text;
  std::string_view initial;  ///< OpenSM's default as it is written; empty: unset or unpublished
  bool updatable = false;    ///< SIGHUP re-reads it
  bool per_step = false;     ///< has effect in the options file of a routing-chain step
  Member member;
};

/// Legal values narrower than the type.
struct OptionLimit {
  std::string_view name;
  std::string_view allowed;   ///< `0-7,15`
  std::string_view fallback;  ///< what OpenSM and rch use instead, with a warning; empty: an error
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
