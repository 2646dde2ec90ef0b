#pragma once

#include "base/diagnostic.h"

namespace rch::fabric {

// Findings about a folder that is given as a fabric.

inline constexpr Rule kFolderFile{
    .name = "folder-file",
    .severity = Severity::note,
    .summary = "the file of a folder that the fabric is read from, and those that are left",
    .reason = "a folder of ibdiagnet says the same several times; the form that says most is read",
    .opensm = "does not read this kind of file",
    .nvidia = "does not read this kind of file",
};
inline constexpr Rule kMixedFolder{
    .name = "folder-mixed",
    .severity = Severity::warning,
    .summary = "two files of a folder that contradict each other: other numbers of nodes, or another day",
    .reason = "tables of one day are no tables of the fabric of another",
    .opensm = "does not read this kind of file",
    .nvidia = "does not read this kind of file",
    .repair = "write the folder again, or name the file that is meant",
};

}  // namespace rch::fabric
