#pragma once

#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "parsers/partitions/partitions.h"
#include "policy/bind/partitions/layout.h"
#include "policy/build/build_context.h"
#include "policy/model/partitions.h"

namespace rch::policy::partitions {

/// What rch makes of a partition file, with everything needed to judge it.
class Reading {
 public:
  /// `options` is an opensm.conf; without one, main options are not known.
  explicit Reading(std::string text, std::optional<std::string> options = std::nullopt);

  const parsers::partitions::Syntax& syntax() const { return syntax_; }
  const Partitions& partitions() const { return partitions_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const Symbols& symbols() const { return symbols_; }
  const SourceSet& sources() const { return sources_; }
  /// Names of the rules reported, in the order of the text: `lone-semicolon merged-sl`.
  std::string rules() const;
  /// Every diagnostic as the user sees it.
  std::string report() const;

 private:
  SourceSet sources_;
  Diagnostics diagnostics_;
  Symbols symbols_;
  parsers::partitions::Syntax syntax_;
  Partitions partitions_;
};

/// The fabric that OpenSM met when it made the recordings; its subnet manager runs at the first CA's port 1.
const fabric::Fabric& lab_fabric();

/// P_Key tables and multicast groups on the lab's fabric, as tests/lab/record_partitions writes them.
std::string laid_out(const Partitions& partitions);

}  // namespace rch::policy::partitions
