#include "policy/build/qos/pkey_references.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules/qos.h"

namespace rch::policy::qos {

PkeyReferences::PkeyReferences(const KnownPartitions* partitions, const BuildContext& context)
    : partitions_(partitions), context_(context) {
  if (partitions == nullptr) return;
  for (const KnownPartition& partition : *partitions) by_name_.emplace(partition.name, partition.pkey);
}

/// The partitions whose P_Key lies in the range.
KnownPartitions PkeyReferences::in(const parsers::qos_policy::Range& range) const {
  const auto first =
      std::lower_bound(partitions_->begin(), partitions_->end(), range.low,
                       [](const KnownPartition& p, std::uint64_t pkey) { return p.pkey < pkey; });
  const auto last =
      std::upper_bound(first, partitions_->end(), range.high,
                       [](std::uint64_t pkey, const KnownPartition& p) { return pkey < p.pkey; });
  return {first, last};
}

void PkeyReferences::check(const parsers::qos_policy::Range& range) {
  if (partitions_ == nullptr || range.high >= kDefaultPkey) return;
  if (in(range).empty()) report_unknown(range, range.low, Severity::warning);
}

void PkeyReferences::check_ipoib(const parsers::qos_policy::Range& range) {
  if (partitions_ == nullptr) return;
  std::uint64_t expected = range.low;
  for (const KnownPartition& partition : in(range)) {
    if (partition.pkey > expected) break;
    expected = partition.pkey + std::uint64_t{1};
    if (partition.full_members.value_or(2) < 2)
      context_.diagnostics.add(kTooFewFullMembers, range.span,
                               fmt::format("partition `{}` ({:#06x}) has fewer than two full members",
                                           partition.name, partition.pkey));
  }
  if (expected <= range.high && expected != kDefaultPkey) report_unknown(range, expected, Severity::error);
}

void PkeyReferences::report_unknown(const parsers::qos_policy::Range& range, std::uint64_t pkey,
                                    Severity severity) {
  const bool one = range.low == range.high;
  Diagnostic& d = context_.diagnostics.add(
      kUnknownPkey, range.span,
      one || severity == Severity::error
          ? fmt::format("no partition has the P_Key {:#06x}", pkey)
          : fmt::format("no partition has a P_Key from {:#06x} to {:#06x}", range.low, range.high));
  d.severity = severity;
  if (severity == Severity::error) d.hint = "`ipoib` needs each partition it names";
}

Ranges PkeyReferences::find(const parsers::Token& name) {
  if (partitions_ == nullptr) return {};
  std::vector<Ranges::Range> found;
  const auto [first, last] = by_name_.equal_range(name.text);
  for (auto at = first; at != last; ++at) found.push_back({at->second, at->second});
  if (!found.empty()) {
    context_.symbols.refer(SymbolKind::partition, name.text, name.span);
    return Ranges(std::move(found));
  }
  Diagnostic& d = context_.diagnostics.add(kUnknownPartition, name.span,
                                           fmt::format("no partition is called `{}`", name.text));
  if (suggestions_++ >= kSuggestions) return {};
  std::vector<std::string_view> names;
  for (const auto& [known, pkey] : by_name_) names.push_back(known);
  if (const std::string_view meant = nearest(name.text, names); !meant.empty())
    d.hint = fmt::format("did you mean `{}`?", meant);
  return {};
}

}  // namespace rch::policy::qos
