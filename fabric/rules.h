#pragma once

#include <span>

#include "base/diagnostic.h"

namespace rch::fabric {

// Findings of the readers of fabric files. All are about the text, none about how a fabric could be routed.

inline constexpr Rule kUnknownFormat{"fabric-unknown-format", Severity::error,
                                     "the file is no fabric in any form that is known"};
inline constexpr Rule kEmptyFabric{"fabric-empty", Severity::error, "the file holds no node"};
inline constexpr Rule kTruncated{
    "fabric-truncated", Severity::error, "the file ends in the middle of a line",
    "a file that was cut short would be planned as a smaller fabric, whose tables then meet the whole one"};
inline constexpr Rule kUnknownLine{
    "fabric-unknown-line", Severity::error, "a line that belongs to none of the known forms",
    "ibsim skips such lines silently, and with them whatever they meant to say"};
inline constexpr Rule kUnsupportedLine{"fabric-unsupported-line", Severity::error,
                                       "a directive of the simulator that a fabric file cannot use here"};
inline constexpr Rule kStrayLine{"fabric-stray-line", Severity::error,
                                 "a port line or GUID line that belongs to no node"};
inline constexpr Rule kBadNumber{"fabric-bad-number", Severity::error,
                                 "a number that is missing, malformed or out of range"};
inline constexpr Rule kBadNode{"fabric-bad-node", Severity::error, "a node without port count, id or GUID"};
inline constexpr Rule kBadLink{"fabric-bad-link", Severity::error, "a link line that cannot be read"};
inline constexpr Rule kUnknownRate{"fabric-unknown-rate", Severity::warning,
                                   "a link width or speed that is not known; it is taken as unknown"};
inline constexpr Rule kNoCommonRate{"fabric-no-common-rate", Severity::error,
                                    "the two ends of a link enable no common width or speed",
                                    "such a link would not come up; ibsim stops at it"};
inline constexpr Rule kDuplicateId{"fabric-duplicate-id", Severity::error, "two nodes with the same id"};
inline constexpr Rule kDuplicateGuid{"fabric-duplicate-guid", Severity::error, "a GUID that is used twice"};
inline constexpr Rule kPortOutOfRange{"fabric-port-out-of-range", Severity::error,
                                      "a port number beyond the ports of its node"};
inline constexpr Rule kPortUsedTwice{"fabric-port-used-twice", Severity::error, "a port with two links"};
inline constexpr Rule kUnknownPeer{"fabric-unknown-peer", Severity::error,
                                   "a link to a node that the file does not hold"};
inline constexpr Rule kOneSidedLink{
    "fabric-one-sided-link", Severity::error, "a link that only one of its ends names",
    "either an end is mistyped, or the file was cut short; ibsim stops at such a link"};
inline constexpr Rule kEndsDisagree{"fabric-ends-disagree", Severity::error,
                                    "two ends that name different ports or nodes as their peer"};
inline constexpr Rule kNodeDiffers{"fabric-node-differs", Severity::error,
                                   "a node that is described differently in two places"};
inline constexpr Rule kLinksListedOnce{
    "fabric-links-listed-once", Severity::warning, "every link is listed from one end only",
    "OpenSM lists each link from both ends, so a list that does not may have been cut short"};
inline constexpr Rule kUnlinkedNode{
    "fabric-unlinked-node", Severity::warning, "a node without any link",
    "no discovery finds such a node, so a file that ends with one may have been cut short"};
inline constexpr Rule kLidConflict{"fabric-lid-conflict", Severity::warning,
                                   "two ports that hold the same LID; the second is taken to have none",
                                   "OpenSM gives one of the two another LID when it takes over the fabric"};
inline constexpr Rule kBadSnapshot{"fabric-bad-snapshot", Severity::error,
                                   "a snapshot that is truncated, damaged or of another version"};
inline constexpr Rule kMoreFindings{"fabric-more-findings", Severity::note,
                                    "more findings of one kind than are shown"};

/// All of the above.
std::span<const Rule* const> rules();

}  // namespace rch::fabric
