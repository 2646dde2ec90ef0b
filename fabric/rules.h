#pragma once

#include <span>

#include "base/diagnostic.h"

namespace rch::fabric {

// Findings of the readers of fabric files. All are about the text, none about how a fabric could be routed.

inline constexpr Rule kUnknownFormat{
    .name = "fabric-unknown-format",
    .severity = Severity::error,
    .summary = "the file is no fabric in any form that is known",
};
inline constexpr Rule kEmptyFabric{
    .name = "fabric-empty",
    .severity = Severity::error,
    .summary = "the file holds no node",
};
inline constexpr Rule kTruncated{
    .name = "fabric-truncated",
    .severity = Severity::error,
    .summary = "the file ends in the middle of a line",
    .reason =
        "a file that was cut short would be planned as a smaller fabric, whose tables then meet the whole "
        "one",
};
inline constexpr Rule kNulByte{
    .name = "fabric-nul-byte",
    .severity = Severity::error,
    .summary = "a NUL byte in a fabric file",
    .reason = "no tool writes one into a text, so the file was damaged on its way",
    .opensm = "does not read this kind of file",
    .nvidia = "does not read this kind of file",
    .repair = "write the file again",
};
inline constexpr Rule kByteOrderMark{
    .name = "fabric-byte-order-mark",
    .severity = Severity::warning,
    .summary = "a fabric file that starts with a byte order mark",
    .reason = "ibsim takes the mark as part of the first word",
    .opensm = "does not read this kind of file",
    .nvidia = "does not read this kind of file",
    .repair = "save the file without it",
};
inline constexpr Rule kUnknownLine{
    .name = "fabric-unknown-line",
    .severity = Severity::error,
    .summary = "a line that belongs to none of the known forms",
    .reason = "ibsim skips such lines silently, and with them whatever they meant to say",
};
inline constexpr Rule kForeignLine{
    .name = "fabric-foreign-line",
    .severity = Severity::warning,
    .summary = "a line of another program above ibnetdiscover's text; it is skipped",
    .reason =
        "ibnetdiscover reports nodes that do not answer on its standard error, which may stand in the file; "
        "such nodes are missing in it",
    .opensm = "does not read this kind of file",
    .nvidia = "does not read this kind of file",
    .repair = "write the file with `ibnetdiscover > FILE`, without `2>&1`",
};
inline constexpr Rule kUnsupportedLine{
    .name = "fabric-unsupported-line",
    .severity = Severity::error,
    .summary = "a directive of the simulator that a fabric file cannot use here",
};
inline constexpr Rule kStrayLine{
    .name = "fabric-stray-line",
    .severity = Severity::error,
    .summary = "a port line or GUID line that belongs to no node",
};
inline constexpr Rule kBadNumber{
    .name = "fabric-bad-number",
    .severity = Severity::error,
    .summary = "a number that is missing, malformed or out of range",
};
inline constexpr Rule kBadNode{
    .name = "fabric-bad-node",
    .severity = Severity::error,
    .summary = "a node without port count, id or GUID",
};
inline constexpr Rule kZeroPortGuid{
    .name = "fabric-zero-port-guid",
    .severity = Severity::warning,
    .summary = "a port with the GUID 0; it is taken to have the GUID of its node plus its number",
    .reason =
        "0 is no GUID. The firmware of the device holds none, or the file was damaged. Options that name the "
        "port "
        "by its GUID do not find it",
    .opensm = "does not read this kind of file",
    .nvidia = "does not read this kind of file",
    .repair = "write the GUID of the port, as `ibstat` shows it on its host",
};
inline constexpr Rule kBadLink{
    .name = "fabric-bad-link",
    .severity = Severity::error,
    .summary = "a link line that cannot be read",
};
inline constexpr Rule kUnknownRate{
    .name = "fabric-unknown-rate",
    .severity = Severity::warning,
    .summary = "a link width or speed that is not known; it is taken as unknown",
};
inline constexpr Rule kNoCommonRate{
    .name = "fabric-no-common-rate",
    .severity = Severity::error,
    .summary = "the two ends of a link enable no common width or speed",
    .reason = "such a link would not come up; ibsim stops at it",
};
inline constexpr Rule kDuplicateId{
    .name = "fabric-duplicate-id",
    .severity = Severity::error,
    .summary = "two nodes with the same id",
};
inline constexpr Rule kDuplicateGuid{
    .name = "fabric-duplicate-guid",
    .severity = Severity::error,
    .summary = "a GUID that is used twice",
};
inline constexpr Rule kPortOutOfRange{
    .name = "fabric-port-out-of-range",
    .severity = Severity::error,
    .summary = "a port number beyond the ports of its node",
};
inline constexpr Rule kPortUsedTwice{
    .name = "fabric-port-used-twice",
    .severity = Severity::error,
    .summary = "a port with two links",
};
inline constexpr Rule kUnknownPeer{
    .name = "fabric-unknown-peer",
    .severity = Severity::error,
    .summary = "a link to a node that the file does not hold",
};
inline constexpr Rule kOneSidedLink{
    .name = "fabric-one-sided-link",
    .severity = Severity::error,
    .summary = "a link that only one of its ends names",
    .reason = "either an end is mistyped, or the file was cut short; ibsim stops at such a link",
};
inline constexpr Rule kEndsDisagree{
    .name = "fabric-ends-disagree",
    .severity = Severity::error,
    .summary = "two ends that name different ports or nodes as their peer",
};
inline constexpr Rule kNodeDiffers{
    .name = "fabric-node-differs",
    .severity = Severity::error,
    .summary = "a node that is described differently in two places",
};
inline constexpr Rule kGuidDiffers{
    .name = "fabric-guid-differs",
    .severity = Severity::warning,
    .summary = "a GUID that the file says twice, and not alike",
    .reason = "ibnetdiscover writes it alike, so one of the two was damaged or edited",
};
inline constexpr Rule kLinksListedOnce{
    .name = "fabric-links-listed-once",
    .severity = Severity::warning,
    .summary = "every link is listed from one end only",
    .reason = "OpenSM lists each link from both ends, so a list that does not may have been cut short",
};
inline constexpr Rule kUnlinkedNode{
    .name = "fabric-unlinked-node",
    .severity = Severity::warning,
    .summary = "a node without any link",
    .reason = "no discovery finds such a node, so a file that ends with one may have been cut short",
};
inline constexpr Rule kLidConflict{
    .name = "fabric-lid-conflict",
    .severity = Severity::warning,
    .summary = "two ports that hold the same LID; the second is taken to have none",
    .reason = "OpenSM gives one of the two another LID when it takes over the fabric",
};
inline constexpr Rule kBadSnapshot{
    .name = "fabric-bad-snapshot",
    .severity = Severity::error,
    .summary = "a snapshot that is truncated, damaged or of another version",
};
inline constexpr Rule kDumpBadSwitch{
    .name = "dump-bad-switch",
    .severity = Severity::error,
    .summary = "a table in a dump that does not say whose it is",
    .reason = "its entries would be taken for those of the switch above",
    .opensm =
        "gives the file up, and with it the engine `file`; skips entries above the first header silently "
        "(seen on ibsim)",
    .nvidia = "reads the same form, as OpenSM",
    .repair = "write ` guid 0x` and the node GUID of the switch, with a blank behind it",
};
inline constexpr Rule kDumpBadEntry{
    .name = "dump-bad-entry",
    .severity = Severity::error,
    .summary = "an entry of a dumped table that cannot be read",
    .opensm = "gives the file up, and with it the engine `file` (seen on ibsim)",
    .nvidia = "reads the same form, as OpenSM",
    .repair = "write the LID in hexadecimal, then the port in decimal, or the hop counts in hexadecimal",
};
inline constexpr Rule kDumpMulticast{
    .name = "dump-multicast",
    .severity = Severity::warning,
    .summary = "a multicast table in a dump of unicast tables; it is not used",
    .opensm =
        "logs ERR 6303 and takes nothing behind that place; minhop routes what has no table there (seen on "
        "ibsim)",
    .nvidia = "reads the same form, as OpenSM",
    .repair = "take the multicast tables out of the file",
};
inline constexpr Rule kDumpEmpty{
    .name = "dump-empty",
    .severity = Severity::error,
    .summary = "a dump without a table",
    .reason = "the engine `file` would route nothing",
    .opensm = "routes nothing and reports success",
    .nvidia = "reads the same form, as OpenSM",
    .repair = "name an opensm-lfts.dump in `lfts_file`, an opensm-lid-matrix.dump in `lid_matrix_dump_file`",
};
inline constexpr Rule kBadLidRecord{
    .name = "guid2lid-bad-record",
    .severity = Severity::warning,
    .summary = "a line of guid2lid that cannot be read, or not to its end; all others are kept",
    .reason = "the port may get another LID",
    .opensm =
        "3.3.23 logs ERR 0311, 0312 or 610B for a record it cannot read, reads past text behind the LIDs, "
        "and exits at a paragraph that begins with a blank (seen on ibsim)",
    .nvidia = "is not known to differ",
    .repair = "write port GUID, first LID and last LID, each with 0x",
};
inline constexpr Rule kHiddenLidRecord{
    .name = "guid2lid-hidden-record",
    .severity = Severity::warning,
    .summary = "a record of guid2lid that OpenSM does not find; it moves no port that holds another LID",
    .reason = "OpenSM gave the port another LID, and who takes over from it must not move it",
    .opensm =
        "3.3.23 finds a record by its text, `0x` and 16 lower-case digits at the beginning of a paragraph; "
        "one with fewer digits makes it discard the port's own record too, and a record without an empty "
        "line before it is lost without a line in the log (seen on ibsim)",
    .nvidia = "is not known to differ",
    .repair = "write the GUID with 16 lower-case digits, and an empty line before each record",
};
inline constexpr Rule kBadNeighbor{
    .name = "neighbors-bad-record",
    .severity = Severity::warning,
    .summary = "a line of `neighbors` that cannot be read; the others are kept",
    .reason = "a port that protects itself with its own M_Key may not be found behind its cable",
    .opensm = "drops the line and logs an error",
    .nvidia = "reads the same form, as OpenSM",
    .repair = "write both ends of the cable as GUID:PORT, the GUID with 0x",
};
inline constexpr Rule kLidRecordConflict{
    .name = "guid2lid-conflict",
    .severity = Severity::warning,
    .summary =
        "a record of guid2lid that contradicts another one; the LID that the port holds wins, then the "
        "record that OpenSM finds, then the first one",
    .reason = "the port may get another LID",
    .opensm =
        "3.3.23 keeps the first of two records of one GUID (ERR 6106); of two ports with one LID it keeps "
        "one, by the order of a hash table (ERR 0314; seen on ibsim)",
    .nvidia = "is not known to differ",
    .repair = "take one of the two lines out",
};
inline constexpr Rule kMoreFindings{
    .name = "fabric-more-findings",
    .severity = Severity::note,
    .summary = "more findings of one kind than are shown",
};

/// All of the above.
std::span<const Rule* const> rules();

}  // namespace rch::fabric
