#pragma once

#include <span>

#include "base/diagnostic.h"

namespace rch::dumps {

// Findings about files with the tables that switches hold. Each says what the proof loses by it.

inline constexpr Rule kBadHeading{
    .name = "tables-bad-heading",
    .severity = Severity::error,
    .summary = "a table that does not say whose it is",
    .reason = "its entries would be taken for those of the switch above",
    .repair = "write the file again; a table names its switch by the node GUID, `0x` and hexadecimal digits",
};
inline constexpr Rule kBadEntry{
    .name = "tables-bad-entry",
    .severity = Severity::error,
    .summary = "a line of a table that cannot be read",
    .reason = "a proof of the other entries would not be one of what the switch holds",
    .repair = "write the file again",
};
inline constexpr Rule kTruncatedTables{
    .name = "tables-truncated",
    .severity = Severity::error,
    .summary = "the file ends in the middle of a line",
    .reason = "the rest of the tables is not known",
    .repair = "write the file again",
};
inline constexpr Rule kTableTwice{
    .name = "tables-twice",
    .severity = Severity::error,
    .summary = "two different tables of one switch, or blocks of one port",
    .reason = "files of two moments were mixed, and which one counts is not known",
    .repair = "give the files of one moment",
};
inline constexpr Rule kOwnerDiffers{
    .name = "tables-owner-differs",
    .severity = Severity::error,
    .summary = "a LID belongs to one port in the tables and to another one in the fabric",
    .reason = "the tables and the fabric are of two moments, so a proof would be of neither",
    .repair = "give the fabric and the tables of one moment",
};
inline constexpr Rule kUnknownSwitch{
    .name = "tables-unknown-switch",
    .severity = Severity::warning,
    .summary = "a table of a switch that the fabric does not have",
    .reason = "packets that come from there are not judged",
};
inline constexpr Rule kUnknownPort{
    .name = "tables-unknown-port",
    .severity = Severity::warning,
    .summary = "P_Keys or settings of a port that the fabric does not have",
    .reason = "what the file says of that port is not judged",
};
inline constexpr Rule kMissingTable{
    .name = "tables-missing-switch",
    .severity = Severity::warning,
    .summary = "the files have no forwarding table of a switch of the fabric",
    .reason = "it is taken to forward nothing",
};
inline constexpr Rule kPrivateTable{
    .name = "tables-private",
    .severity = Severity::warning,
    .summary = "a private forwarding table, by which packets of some ports or service levels are sent",
    .reason = "it is not judged: packets are taken to follow the first table of their switch",
};
inline constexpr Rule kUnknownLines{
    .name = "tables-unknown-lines",
    .severity = Severity::warning,
    .summary = "lines of a `.far` file that rch does not know",
    .reason = "what they say of the tables is not judged",
};
inline constexpr Rule kUnownedLids{
    .name = "tables-unowned-lids",
    .severity = Severity::warning,
    .summary = "LIDs with entries that no port of the fabric has",
    .reason = "packets to them are judged for forwarding loops only: nobody knows where they should arrive",
    .repair = "where ports have several LIDs (LMC), give OpenSM's guid2lid or opensm-lfts.dump, too",
};
inline constexpr Rule kNoLids{
    .name = "tables-no-lids",
    .severity = Severity::error,
    .summary = "the fabric does not say which LIDs its ports have",
    .reason = "forwarding tables are by LID",
    .repair = "give the fabric as the subnet manager saw it: opensm-subnet.lst, db_csv, or `ibnetdiscover`",
};
inline constexpr Rule kNoForwardingTables{
    .name = "tables-no-unicast",
    .severity = Severity::error,
    .summary = "no file has forwarding tables",
    .repair =
        "give opensm-lfts.dump, opensm.fdbs, ibdiagnet's `.fdbs`, or what `dump_lfts` or `ibroute` print",
};
inline constexpr Rule kUnconfirmedTables{
    .name = "tables-unconfirmed-form",
    .severity = Severity::note,
    .summary = "tables in a form that was never seen in a whole file",
    .reason =
        "the form is that of public parsers, or of the program that reads the file back. What stands there "
        "in "
        "another form is an error or is taken as unknown",
};
inline constexpr Rule kUnformedFile{
    .name = "tables-unknown-file",
    .severity = Severity::error,
    .summary = "a file that holds no tables in any form that is known",
};

std::span<const Rule* const> rules();

}  // namespace rch::dumps
