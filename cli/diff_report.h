#pragma once

#include <string>

#include "cli/diff_side.h"
#include "cli/output.h"
#include "compare/comparison.h"

namespace rch::cli {

/// Lines of each kind that text shows.
inline constexpr std::size_t kDiffLines = 10;
/// Entries that JSON lists; where more differ, only counts of each switch are given, and JSON says so.
inline constexpr std::uint64_t kListedEntries = 1'000'000;

/// A summary, then what differs, kind by kind.
void print_diff(Output& output, const Sides& sides, const compare::Comparison& comparison);

Json diff_json(const Sides& sides, const compare::Comparison& comparison);

/// `1-5, 9`.
std::string ranges(const IdSet<Lid>& lids);

/// Returns the LIDs whose paths the host has to ask for again, without its own LIDs.
IdSet<Lid> asks_again(const fabric::Fabric& fabric, const compare::SlChange& change, PortId host);

}  // namespace rch::cli
