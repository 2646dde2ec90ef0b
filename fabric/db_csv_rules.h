#pragma once

#include "base/diagnostic.h"

namespace rch::fabric {

// Findings about the tables of ibdiagnet 2 (db_csv) and of NVIDIA SM (smdb).

inline constexpr std::string_view kNoReaderOfTables = "does not read this kind of file";

inline constexpr Rule kOpenSection{
    .name = "db-csv-open-section",
    .severity = Severity::error,
    .summary = "a section of a db_csv without its end",
    .reason =
        "the file was cut short, or lines of it are lost. It would be planned as a smaller fabric, whose "
        "tables "
        "then meet the whole one",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kCutTail{
    .name = "db-csv-cut-tail",
    .severity = Severity::warning,
    .summary = "a section of a db_csv that is not read has no end",
    .reason = "the file was cut short. What is read of it is whole",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kMissingSection{
    .name = "db-csv-missing-section",
    .severity = Severity::error,
    .summary = "a db_csv without its nodes or without its links",
    .reason = "`--disable_output` of ibdiagnet leaves sections out",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "give the ibnetdiscover file or the list of links (`.lst`) of the same run",
};
inline constexpr Rule kAbsentSection{
    .name = "db-csv-absent-section",
    .severity = Severity::warning,
    .summary = "a db_csv without a section that a fabric needs for more than its links",
    .reason = "without PORTS no LID, rate, MTU or VL is known; without SWITCHES no enhanced port 0",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again with all sections",
};
inline constexpr Rule kCsvMissingColumn{
    .name = "db-csv-missing-column",
    .severity = Severity::error,
    .summary = "a section of a db_csv, or a net_dump, without a column that tells whose its rows are",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kAbsentColumn{
    .name = "db-csv-absent-column",
    .severity = Severity::warning,
    .summary = "a section of a db_csv without some of the columns that rch reads",
    .reason = "versions of ibdiagnet differ in their columns; what is not said is taken as unknown",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file with a recent ibdiagnet",
};
inline constexpr Rule kDoubledColumn{
    .name = "db-csv-doubled-column",
    .severity = Severity::error,
    .summary = "two columns of one name in a section of a db_csv",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kCsvBadRow{
    .name = "db-csv-bad-row",
    .severity = Severity::error,
    .summary = "a row of a db_csv with more or fewer fields than its section has columns",
    .reason = "its fields would be taken for those of other columns",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kCsvBadValue{
    .name = "db-csv-bad-value",
    .severity = Severity::error,
    .summary = "a field of a db_csv that does not hold what its column is for",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kNoValue{
    .name = "db-csv-no-value",
    .severity = Severity::warning,
    .summary = "a field of a db_csv that says nothing (`N/A`, `-1`): the device did not answer",
    .reason = "what is unknown is not checked, and a LID that is unknown is planned anew",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "run ibdiagnet again when the device answers",
};
inline constexpr Rule kRowOfUnknownNode{
    .name = "db-csv-unknown-node",
    .severity = Severity::warning,
    .summary = "a row of a db_csv about a node or a port that NODES does not have; it is skipped",
    .reason = "the node did not answer everything that ibdiagnet asked, or the sections are of two runs",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "run ibdiagnet again",
};
inline constexpr Rule kCsvRepeated{
    .name = "db-csv-repeated",
    .severity = Severity::error,
    .summary = "a section, or the row of a port or switch, that a db_csv has twice",
    .reason = "which of the two holds is not known",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kMissingRows{
    .name = "db-csv-missing-rows",
    .severity = Severity::warning,
    .summary = "a node without a row in PORTS, or a switch without a row in SWITCHES",
    .reason = "the node did not answer, or rows are lost. What its ports hold is taken as unknown",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "run ibdiagnet again",
};
inline constexpr Rule kDownCable{
    .name = "db-csv-down-cable",
    .severity = Severity::warning,
    .summary = "a cable in LINKS at a port that PORTS says is down; it is taken as up",
    .reason = "the link changed while ibdiagnet ran, or the sections are of two runs",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "run ibdiagnet again",
};
inline constexpr Rule kNoCable{
    .name = "db-csv-no-cable",
    .severity = Severity::warning,
    .summary = "a port that is up, of which a db_csv or net_dump has no cable; it is taken as down",
    .reason = "what is behind the port did not answer ibdiagnet, so it is missing in the fabric",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "run ibdiagnet again when everything answers",
};
inline constexpr Rule kManagementCables{
    .name = "db-csv-fnm-ports",
    .severity = Severity::note,
    .summary =
        "cables between ports for the management of the chips of one switch (`IsFNMPort`); they are left out",
    .reason = "they carry no packets of hosts. The form is not confirmed: no such file was at hand",
    .opensm = kNoReaderOfTables,
    .nvidia = "routes nothing over such ports",
};
inline constexpr Rule kPlanes{
    .name = "db-csv-planes",
    .severity = Severity::note,
    .summary =
        "switch chips of several planes (`AsicMaxPlanes`); they are read as the separate nodes that they are",
    .reason = "each plane is routed by itself. The form is not confirmed: no such file was at hand",
    .opensm = "knows no planes",
    .nvidia = "is not known to differ",
};
inline constexpr Rule kOutsideSection{
    .name = "db-csv-outside-section",
    .severity = Severity::warning,
    .summary = "a line of a db_csv outside of its sections; it is skipped",
    .reason = "the heading of its section may be lost",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
    .repair = "write the file again",
};
inline constexpr Rule kUnknownSection{
    .name = "db-csv-unknown-section",
    .severity = Severity::note,
    .summary = "sections of a db_csv whose names are not known; they are skipped",
    .reason = "a newer ibdiagnet may say there what an older one says elsewhere",
    .opensm = kNoReaderOfTables,
    .nvidia = kNoReaderOfTables,
};
inline constexpr Rule kUnconfirmedForm{
    .name = "fabric-unconfirmed-form",
    .severity = Severity::note,
    .summary = "a fabric in a form that was never seen in a whole file",
    .reason =
        "it is read as public parsers read it. Columns that are called otherwise in your file are taken as "
        "unknown",
    .opensm = kNoReaderOfTables,
    .nvidia = "writes the file (opensm-smdb.dump) or does not read it (net_dump)",
    .repair = "compare `rch fabric info` of it with that of the ibnetdiscover file of the same time",
};

}  // namespace rch::fabric
