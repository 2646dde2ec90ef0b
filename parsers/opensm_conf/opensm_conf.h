#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "parsers/common/token.h"

namespace rch::parsers::opensm_conf {

/// One line `key value`: the value without its outer quotes, absent when there is none.
struct Option {
  Token key;
  std::optional<Token> value;
};

/// An options file, in file order, keys not looked up yet (docs/configuration.md).
struct Syntax {
  SourceId source;
  bool for_rch = false;  ///< written for rch alone: the options of an rch.yaml
  std::vector<Option> options;
};

/// Never fails: every line has a reading. Reports `=` signs, unclosed quotes, long lines and bad bytes.
Syntax parse(const SourceSet& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace rch::parsers::opensm_conf
