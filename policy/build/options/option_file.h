#pragma once

#include <string_view>
#include <vector>

#include "parsers/common/token.h"
#include "parsers/opensm_conf/opensm_conf.h"
#include "policy/build/options/option_values.h"
#include "policy/model/policy.h"

namespace rch::policy {

/// One option as a file sets it.
struct Setting {
  const OptionKey* key;
  parsers::Token name;
  parsers::Token value;  ///< as written
  OptionValue meaning;
  bool unset = false;       ///< `(null)` or nothing
  bool is_default = false;  ///< says what OpenSM does anyway
};

/// A value that other options force upon a key.
struct Adjustment {
  const OptionKey* key;
  OptionValue value;
};

/// What an options file means.
struct OptionFile {
  Options options;
  std::vector<Setting> settings;             ///< readable ones, the last of repeated ones, in file order
  std::vector<Adjustment> adjustments;       ///< `options` has them
  std::vector<const OptionKey*> unreadable;  ///< keys with a value that was reported as an error

  /// Gives the typed options a value of a key; relative paths are taken from `folder`.
  void put(const OptionKey& key, const OptionValue& value, const std::filesystem::path& folder = {});
  /// Null if the file does not name the key.
  const Setting* setting(std::string_view key) const;
  /// True if the file gives the key a value that was reported as an error.
  bool is_unreadable(std::string_view key) const;
  /// Null if the file does not set the key to something.
  const Setting* find(std::string_view key) const;
};

/// The main options, defaults filled in, or on top of `before`, which may be null. The name of the text in
/// which a relative path stands gives its folder.
OptionFile read_main_options(const parsers::opensm_conf::Syntax& syntax, const OptionFile* before,
                             const SourceSet& sources, Diagnostics& diagnostics);

/// The options file of a routing-chain step: `main` overridden by the file. Keys that have effect in the main
/// file only are reported and left alone (docs/options.md). `main` is null when no main file was given.
OptionFile read_step_options(const parsers::opensm_conf::Syntax& syntax, const SourceSet& sources,
                             const OptionFile* main, Diagnostics& diagnostics);

}  // namespace rch::policy
