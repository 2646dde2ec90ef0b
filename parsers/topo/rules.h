#pragma once

#include "base/diagnostic.h"

namespace rch::parsers::topo {

inline constexpr std::string_view kNotRead = "does not read this kind of file";

// Lines (docs/ibdm.md).
inline constexpr Rule kLongLine{
    .name = "topo-long-line",
    .severity = Severity::warning,
    .summary = "a line of more than 1023 characters",
    .reason = "IBDM takes the line for the end of the file, silently",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "shorten the line",
};
inline constexpr Rule kUnknownLine{
    .name = "topo-unknown-line",
    .severity = Severity::error,
    .summary = "a line that is neither a system nor a cable",
    .reason = "IBDM warns and ignores it; the cables below then belong to the system above",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write `TYPE NAME CFG: board=modifier` or, indented, `PORT -> TYPE NAME PORT`",
};
inline constexpr Rule kTrailingComment{
    .name = "topo-trailing-comment",
    .severity = Severity::error,
    .summary = "a comment behind a system or a cable",
    .reason =
        "IBDM ignores the whole line; without its system line, a section's cables belong to the system above",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "put the comment on a line of its own",
};
inline constexpr Rule kNotIndented{
    .name = "topo-not-indented",
    .severity = Severity::error,
    .summary = "a cable line that begins in the first column",
    .reason = "IBDM warns and ignores the cable",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "begin the line with a blank",
};
inline constexpr Rule kBlankRoundArrow{
    .name = "topo-blank-round-arrow",
    .severity = Severity::error,
    .summary = "an arrow without a blank on either side, or with blanks inside",
    .reason = "IBDM warns and ignores the cable",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "put blanks round the arrow, and none inside",
};
inline constexpr Rule kBadRate{
    .name = "topo-bad-rate",
    .severity = Severity::error,
    .summary = "an arrow with an unknown width or speed",
    .reason = "IBDM knows 1x, 4x, 8x and 12x, then 2.5G, 5G and 10G; it warns and ignores the cable",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write `->`, `-4x->`, `-10G->` or `-4x-10G->`",
};
inline constexpr Rule kSlashInName{
    .name = "topo-slash-in-name",
    .severity = Severity::error,
    .summary = "a system whose type or name holds `/`",
    .reason = "IBDM reads no system there: `/` separates a system from its boards",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "choose a name without `/`",
};
inline constexpr Rule kStrayCable{
    .name = "topo-stray-cable",
    .severity = Severity::error,
    .summary = "a cable line that belongs to no system",
    .reason = "IBDM stops there and has no fabric",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "put the system's line above its cables, without an empty line between",
};
inline constexpr Rule kTabBeforeCfg{
    .name = "topo-tab-before-cfg",
    .severity = Severity::warning,
    .summary = "a tab before CFG:",
    .reason = "IBDM wants a blank there and ignores the whole line",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "put a blank before `CFG:`",
};
inline constexpr Rule kBlankInCfg{
    .name = "topo-blank-in-cfg",
    .severity = Severity::note,
    .summary = "blanks inside CFG:, which are skipped",
    .reason = "in IBDM they become part of the board or of the modifier, which then means nothing",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write `CFG: leaf1=R,leaf2=12x`",
};
inline constexpr Rule kBadModifier{
    .name = "topo-bad-modifier",
    .severity = Severity::error,
    .summary = "an item of CFG: that is not board=modifier",
    .reason = "IBDM prints an error and goes on without it",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write `board=R` for a board that is absent, `board=VARIANT` for one of another kind",
};
inline constexpr Rule kLongModifier{
    .name = "topo-long-modifier",
    .severity = Severity::warning,
    .summary = "an item of CFG: longer than 63 characters",
    .reason = "IBDM copies it beyond the end of its buffer",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "shorten the names",
};

// Systems and cables (docs/ibdm.md).
inline constexpr Rule kNoSystem{
    .name = "topo-no-system",
    .severity = Severity::error,
    .summary = "a topology file without a system",
    .reason = "a fabric without nodes cannot be planned",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "name the systems and their cables",
};
inline constexpr Rule kUnknownType{
    .name = "topo-unknown-type",
    .severity = Severity::error,
    .summary = "a system type that no IBNL file defines",
    .reason = "IBDM stops there and has no fabric",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "correct the type; install ibutils, or name the directory of its IBNL file in IBDM_IBNL_PATH",
};
inline constexpr Rule kUndeclaredSystem{
    .name = "topo-undeclared-system",
    .severity = Severity::warning,
    .summary = "a system that only cables name, and whose name is nearly that of a declared one",
    .reason = "a cable to an unknown name makes a new system",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "correct the name, or declare the system",
};
inline constexpr Rule kTypesDiffer{
    .name = "topo-types-differ",
    .severity = Severity::error,
    .summary = "one system with two types",
    .reason =
        "IBDM warns and keeps the first; it warns about two aliases of one type too, which rch takes as "
        "equal",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "write the same type wherever the system is named",
};
inline constexpr Rule kRepeatedSystem{
    .name = "topo-repeated-system",
    .severity = Severity::warning,
    .summary = "a system that is declared twice",
    .reason = "the second line only begins another section of cables",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "join the two sections",
};
inline constexpr Rule kCfgDiffers{
    .name = "topo-cfg-differs",
    .severity = Severity::error,
    .summary = "a system that is declared twice with different boards",
    .reason = "IBDM ignores the second CFG: silently",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "say once which boards the system has",
};
inline constexpr Rule kRepeatedModifier{
    .name = "topo-repeated-modifier",
    .severity = Severity::error,
    .summary = "a board with two modifiers",
    .reason = "IBDM takes the last one silently",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "keep one of them",
};
inline constexpr Rule kUnknownBoard{
    .name = "topo-unknown-board",
    .severity = Severity::error,
    .summary = "a modifier for a board that the system does not have",
    .reason = "IBDM ignores it silently, and the board that was meant keeps its default",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "name a SUBSYSTEM of the type, by its path from the top",
};
inline constexpr Rule kUnknownVariant{
    .name = "topo-unknown-variant",
    .severity = Severity::error,
    .summary = "a board of a variant that its IBNL file does not define",
    .reason = "IBDM prints an error and treats the board as absent",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "name a variant `TYPE:MODIFIER` that the IBNL file defines, or R for an absent board",
};
inline constexpr Rule kRemovedPorts{
    .name = "topo-removed-ports",
    .severity = Severity::note,
    .summary = "front panel ports that are absent with their board",
    .reason = "they are dropped, here as in IBDM",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "nothing, if the board is absent in the real system",
};
inline constexpr Rule kUnknownPort{
    .name = "topo-unknown-port",
    .severity = Severity::error,
    .summary = "a cable at a front panel port that the system does not have",
    .reason = "IBDM stops there and has no fabric",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "name a front panel port of the type, as its boards are chosen",
};
inline constexpr Rule kPortUsedTwice{
    .name = "topo-port-used-twice",
    .severity = Severity::error,
    .summary = "a port with two cables",
    .reason = "IBDM stops there and has no fabric",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "correct one of the two lines; a cable may be stated once from each end",
};
inline constexpr Rule kRatesDiffer{
    .name = "topo-rates-differ",
    .severity = Severity::error,
    .summary = "a cable whose two lines say different rates",
    .reason = "IBDM takes the last one silently; nothing said means 4x-2.5G",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "state the same width and speed in both lines, or the cable once",
};
inline constexpr Rule kRateLowered{
    .name = "topo-rate-lowered",
    .severity = Severity::note,
    .summary = "cables without a rate at ports that have a higher one",
    .reason = "what a cable line does not say is 4x and 2.5G, whatever the ports of the system type are",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "state the rate, e.g. `-4x-10G->`",
};
inline constexpr Rule kTooLarge{
    .name = "topo-too-large",
    .severity = Severity::error,
    .summary = "a fabric of more nodes than one subnet can hold",
    .reason = "every node needs a LID, and there are 49151",
    .opensm = kNotRead,
    .nvidia = kNotRead,
    .repair = "check the boards of the system types for a number out of hand",
};

inline constexpr const Rule* kRules[] = {
    &kLongLine,       &kUnknownLine,    &kTrailingComment, &kNotIndented,      &kBlankRoundArrow,
    &kBadRate,        &kSlashInName,    &kStrayCable,      &kTabBeforeCfg,     &kBlankInCfg,
    &kBadModifier,    &kLongModifier,   &kNoSystem,        &kUndeclaredSystem, &kUnknownType,
    &kTypesDiffer,    &kRepeatedSystem, &kCfgDiffers,      &kRepeatedModifier, &kUnknownBoard,
    &kUnknownVariant, &kRemovedPorts,   &kUnknownPort,     &kPortUsedTwice,    &kRatesDiffer,
    &kRateLowered,    &kTooLarge,
};

}  // namespace rch::parsers::topo
