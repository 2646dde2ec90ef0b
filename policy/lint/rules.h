#pragma once

#include <span>
#include <vector>

#include "base/diagnostic.h"

namespace rch::policy {

/// Every rule this folder and the parsers can report.
std::span<const Rule* const> rules();
/// Those and the rules of fabric files.
std::vector<const Rule*> all_rules();

// Files.
inline constexpr Rule kUnreadableFile{
    .name = "unreadable-file",
    .severity = Severity::error,
    .summary = "a file named by the configuration cannot be read",
    .opensm = "goes on without the file, or fails, depending on the option",
    .nvidia = "goes on without the file, or fails, depending on the option",
    .repair = "correct the path, or the permissions",
};
inline constexpr Rule kAbsentFile{
    .name = "absent-file",
    .severity = Severity::note,
    .summary = "a file that an options file names does not exist here",
    .reason = "an options file linted by itself may come from another machine; with `-F` this is an error",
    .opensm = "goes on without the file, or fails, depending on the option",
    .nvidia = "goes on without the file, or fails, depending on the option",
    .repair = "lint with `-F` on the machine that has the files",
};
inline constexpr Rule kAbsentDefaultFile{
    .name = "absent-default-file",
    .severity = Severity::warning,
    .summary = "the partition file or QoS policy of the options file is not there",
    .reason =
        "the path is OpenSM's default, so an absent file may be meant; its tenants are not kept apart. Not "
        "reported for a template that has every option at its default",
    .opensm =
        "goes on without it: every port is a full member of the default partition, or QoS has no levels",
    .nvidia = "goes on without it, as OpenSM",
    .repair = "make the file, or leave the option out",
};
inline constexpr Rule kUnresolvedNames{
    .name = "unresolved-names",
    .severity = Severity::note,
    .summary = "names are not checked: the file that defines them was not given",
    .opensm = "reads all files that its options name",
    .nvidia = "reads all files that its options name",
    .repair = "name all files of the policy together, or the main file with `-F`",
};

inline constexpr Rule kAmbiguousFile{
    .name = "ambiguous-file",
    .severity = Severity::error,
    .summary = "a file whose content does not tell what it is for",
    .reason = "a GUID and a number mean something else in each side file",
    .opensm = "reads the file as the option that names it",
    .nvidia = "reads the file as the option that names it",
    .repair = "name the kind of file: `rch lint --as hop-weights FILE`",
};

inline constexpr Rule kMistakenFile{
    .name = "mistaken-file",
    .severity = Severity::error,
    .summary = "a file that is something else than it is given as",
    .reason = "its first lines are those of another program or of another kind of file",
    .opensm = "takes every file for what the option says, and reads what it can of it",
    .nvidia = "takes every file for what the option says, and reads what it can of it",
    .repair = "give the file that the hint names",
};
inline constexpr Rule kUnknownFile{
    .name = "unknown-file",
    .severity = Severity::error,
    .summary = "a file of no kind that rch reads",
    .reason = "no line of it has a word of these formats, and the name of the file does not tell either",
    .opensm = "reads the file as the option that names it",
    .nvidia = "reads the file as the option that names it",
    .repair = "name the kind of file: `rch lint --as partitions FILE`",
};

inline constexpr const Rule* kFileRules[] = {
    &kUnreadableFile, &kAbsentFile,   &kAbsentDefaultFile, &kUnresolvedNames,
    &kAmbiguousFile,  &kMistakenFile, &kUnknownFile,
};

}  // namespace rch::policy
