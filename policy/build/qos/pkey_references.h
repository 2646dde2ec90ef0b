#pragma once

#include <map>
#include <string_view>

#include "parsers/qos_policy/qos_policy.h"
#include "policy/build/build_context.h"
#include "policy/build/qos/partitions_view.h"
#include "policy/model/ranges.h"

namespace rch::policy::qos {

/// P_Keys and partition names that a QoS policy mentions, checked against the partitions
/// (docs/diagnostics.md). Without partitions (null) nothing is checked.
class PkeyReferences {
 public:
  PkeyReferences(const KnownPartitions* partitions, const BuildContext& context);

  /// A range with no partition in it does nothing.
  void check(const parsers::qos_policy::Range& range);
  /// Each P_Key needs a partition with two full members.
  void check_ipoib(const parsers::qos_policy::Range& range);
  /// The P_Keys of the partitions of a name.
  Ranges find(const parsers::Token& name);

 private:
  KnownPartitions in(const parsers::qos_policy::Range& range) const;
  void report_unknown(const parsers::qos_policy::Range& range, std::uint64_t pkey, Severity severity);

  const KnownPartitions* partitions_;
  const BuildContext& context_;
  std::multimap<std::string_view, std::uint16_t> by_name_;
  std::size_t suggestions_ = 0;  ///< near names looked for so far
};

}  // namespace rch::policy::qos
